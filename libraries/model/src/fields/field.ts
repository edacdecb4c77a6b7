/**
 * One member of the external cluster, as data. A version is made of fields; conversion, overlay, delta
 * and validation all read them, so that no version needs code of its own.
 */
export interface Field {
  /**
   * Path in the external document: `properties.workerProfiles[].count` is a member of a list's elements,
   * `identity.userAssignedIdentities{}.clientId` one of a map's values. The path of the stored document is
   * the same, but for `internalName`.
   */
  readonly path: string;
  readonly type: FieldType;
  /** The API version that introduced it; later ones have it unless they say otherwise. */
  readonly since: string;
  /** Name of the member in the stored document, where it differs. */
  readonly internalName?: string;
  /** The values of an enumeration; others are refused where a version has a rule for it. */
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
  /** The service's own: no request changes it. */
  readonly readOnly?: ReadOnly;
  /** Says how to carry out the request; never stored. */
  readonly requestOnly?: boolean;
  /** Of an object: when responses show it. */
  readonly presence?: Presence;
  /** Of a map: a request replaces it whole, rather than entry by entry. */
  readonly replacedWhole?: "always" | "when not empty";
  /** Of a map: what the service knows about an entry holds while this member of the entry stays the same. */
  readonly identifiedBy?: string;
}

export type FieldType = "text" | "time" | "integer" | "boolean" | "object" | "list" | "map" | "text map";

/**
 * `always`, even when empty; `optional`: when it is stored; `filled`: when it has a member.
 * An optional object that is absent differs from an empty one.
 */
export type Presence = "always" | "optional" | "filled";

interface ReadOnly {
  /** Before this version, clients may send it on creation and must repeat it afterwards. */
  readonly since: string;
  /** What an update that names it gets. `refused if changed` lets a client send back what it read. */
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
