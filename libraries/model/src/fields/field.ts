/**
 * Field of the external cluster as data. Conversion, overlay, delta and validation read it, so that versions
 * need no code.
 */
export interface Field {
  /**
   * Path in the external document. `properties.workerProfiles[].count` is in the elements of a list,
   * `identity.userAssignedIdentities{}.clientId` in the values of a map. The path in the stored document is
   * the same, except for `internalName`.
   */
  readonly path: string;
  readonly type: FieldType;
  /** API version that introduced it. Later versions have it unless they exclude it. */
  readonly since: string;
  /** Name in the stored document, if it differs. */
  readonly internalName?: string;
  /** Values of an enumeration. A version with a rule for the field rejects other values. */
  readonly values?: readonly string[];
  /** Clients may change it after creation. Everything else is immutable. */
  readonly mutable?: boolean;
  /** Compared without regard to case. Of a map: its keys. */
  readonly ignoreCase?: boolean;
  /** Value that the service stores if a request has none. */
  readonly storedDefault?: string;
  /** The service fills in a value if a request has none. */
  readonly filledIn?: boolean;
  /** Write-only, and a `Secret` in the stored document. */
  readonly secret?: boolean;
  /** Read-only field. Requests cannot change it. */
  readonly readOnly?: ReadOnly;
  /** Controls how the request is executed; never stored. */
  readonly requestOnly?: boolean;
  /** Presence of an object in responses. */
  readonly presence?: Presence;
  /** Condition under which a request replaces a map instead of merging its entries. */
  readonly replacedWhole?: "always" | "when not empty";
  /** Property of a map entry. The service's data about the entry is dropped when it changes. */
  readonly identifiedBy?: string;
}

export type FieldType = "text" | "time" | "integer" | "boolean" | "object" | "list" | "map" | "text map";

/**
 * `always`: also when empty. `optional`: if it is stored. `filled`: if it has a property. A missing optional
 * object differs from an empty one.
 */
export type Presence = "always" | "optional" | "filled";

interface ReadOnly {
  /** Clients of earlier versions may send it at creation and must repeat it afterwards. */
  readonly since: string;
  /**
   * Handling of an update that contains it. `refused if changed` lets clients send back a value that they
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
