/**
 * Declaration of one field of the external cluster. Conversion, overlay, delta and validation use these declarations, so a new
 * API version needs no new code.
 */
export interface Field {
  /**
   * Path in the external document. `[]` denotes list elements, for example `properties.workerProfiles[].count`. `{}` denotes map
   * values, for example `identity.userAssignedIdentities{}.clientId`. If the stored document uses a different name,
   * `internalName` contains that name.
   */
  readonly path: string;
  readonly type: FieldType;
  /** First API version that has the field. All later versions have the field too, unless they exclude it. */
  readonly since: string;
  /** Name in the stored document. Default: the external name. */
  readonly internalName?: string;
  /** Values of an enumeration. An API version rejects other values only if it has a rule for the field. */
  readonly values?: readonly string[];
  /** True if clients may change the field after creation. All other fields are immutable. */
  readonly mutable?: boolean;
  /** True if the comparison of values ignores case. For a map, the comparison of its keys ignores case. */
  readonly ignoreCase?: boolean;
  /** Value that the service stores if the request omits the field. */
  readonly storedDefault?: string;
  /** True if the service computes a value for the field when the request omits it. */
  readonly filledIn?: boolean;
  /** True for a write-only field. The stored document contains a `Secret`. */
  readonly secret?: boolean;
  /** Restrictions of a read-only field. Requests cannot change it. */
  readonly readOnly?: ReadOnly;
  /** True if the field only controls the execution of the request. Such a field is never stored. */
  readonly requestOnly?: boolean;
  /** Condition under which responses contain an object. */
  readonly presence?: Presence;
  /**
   * Condition under which the map in a request replaces the stored map. If the condition is not met, the request's entries are
   * merged into the stored map.
   */
  readonly replacedWhole?: "always" | "when not empty";
  /** Property that identifies a map entry. If a request changes this property, the service's data about the entry is dropped. */
  readonly identifiedBy?: string;
}

export type FieldType = "text" | "time" | "integer" | "boolean" | "object" | "list" | "map" | "text map";

/**
 * Condition for an object in responses. `always`: the object is returned even if it is empty. `optional`: it is returned if it is
 * stored, so a missing object differs from an empty object. `filled`: it is returned if it has a property.
 */
export type Presence = "always" | "optional" | "filled";

interface ReadOnly {
  /**
   * First version in which the field is read-only. Clients of earlier versions may set it at creation and must repeat its value
   * in updates.
   */
  readonly since: string;
  /**
   * Effect of the field in an update request. With `refused if changed`, a request may contain the value that the client has
   * read.
   */
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
