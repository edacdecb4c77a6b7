/**
 * Declaration of one field of the external cluster. Conversion, overlay, delta and validation read it. New API versions therefore
 * need no code.
 */
export interface Field {
  /**
   * Path in the external document. `[]` denotes list elements: `properties.workerProfiles[].count`. `{}` denotes map values:
   * `identity.userAssignedIdentities{}.clientId`. The path in the stored document differs only in `internalName`.
   */
  readonly path: string;
  readonly type: FieldType;
  /** First API version with the field. Later versions have the field unless they exclude it. */
  readonly since: string;
  /** Name in the stored document. Default: the external name. */
  readonly internalName?: string;
  /** Values of an enumeration. A version rejects other values only if it has a rule for the field. */
  readonly values?: readonly string[];
  /** True if clients may change the field after creation. All other fields are immutable. */
  readonly mutable?: boolean;
  /** True if values are compared without case. For a map, this applies to its keys. */
  readonly ignoreCase?: boolean;
  /** Value that the service stores if the request omits the field. */
  readonly storedDefault?: string;
  /** True if the service sets the field when the request omits it. */
  readonly filledIn?: boolean;
  /** True for a write-only field. The stored document contains a `Secret`. */
  readonly secret?: boolean;
  /** Restrictions of a read-only field. Requests cannot change it. */
  readonly readOnly?: ReadOnly;
  /** True if the field only controls the execution of the request. Such a field is never stored. */
  readonly requestOnly?: boolean;
  /** Condition under which responses contain an object. */
  readonly presence?: Presence;
  /** Condition under which a request replaces the map. Otherwise the request's entries are merged. */
  readonly replacedWhole?: "always" | "when not empty";
  /** Property that identifies a map entry. If it changes, the service's data about the entry is dropped. */
  readonly identifiedBy?: string;
}

export type FieldType = "text" | "time" | "integer" | "boolean" | "object" | "list" | "map" | "text map";

/**
 * Presence of an object in responses. `always`: even if it is empty. `optional`: if it is stored. `filled`: if it has a property.
 * A missing optional object differs from an empty object.
 */
export type Presence = "always" | "optional" | "filled";

interface ReadOnly {
  /**
   * First version in which the field is read-only. Clients of earlier versions may send it at creation and must repeat it
   * afterwards.
   */
  readonly since: string;
  /** Handling of an update that contains the field. With `refused if changed`, clients may send the value that they have read. */
  readonly sent: "refused" | "refused unless empty" | "refused if changed" | "ignored";
}

type Options = Omit<Field, "path" | "type" | "since"> & { readonly since?: string };

export const firstVersion = "2019-12-31-preview";

export const text = (path: string, options: Options = {}): Field => field(path, "text", options);
export const time = (path: string, options: Options = {}): Field => field(path, "time", options);
export const integer = (path: string, options: Options = {}): Field => field(path, "integer", options);
export const boolean = (path: string, options: Options = {}): Field => field(path, "boolean", options);
export const list = (path: string, options: Options = {}): Field => field(path, "list", options);
export const map = (path: string, options: Options = {}): Field => field(path, "map", options);
export const textMap = (path: string, options: Options = {}): Field => field(path, "text map", options);
export const object = (path: string, presence: Presence, options: Options = {}): Field =>
  field(path, "object", { presence, ...options });

function field(path: string, type: FieldType, options: Options): Field {
  return { path, type, since: firstVersion, ...options };
}
