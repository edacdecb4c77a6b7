import type { Findings } from "./findings.ts";

export type Fields = Readonly<Record<string, unknown>>;

/** Validates one value. `undefined` means unset. `findings` contains the path of the value. */
export type Check = (value: unknown, findings: Findings) => void;

/**
 * Field and its checks. The fields of a nested type are validated after these checks. An empty field name means the object
 * itself.
 */
export type FieldChecks = readonly [field: string, ...checks: readonly Check[]];

/** Validates an update. `current` is the previous object. */
export type ChangeCheck = (object: Fields, current: Fields, findings: Findings) => void;

/**
 * Facts about types that the API server needs. A type name has the form `package.version.Type`, such as `core.v1.PodSpec`. String
 * properties contain one line per type: the type name and its fields.
 */
export interface TypeFacts {
  /**
   * Fields and their types in the format of `models.generated.txt`. Used for types that `models.generated.txt` does not contain.
   */
  readonly fields?: string;
  /**
   * Defaults of unset fields, for example `core.v1.PodSpec dnsPolicy="ClusterFirst"`. An empty string counts as unset. With `:=`
   * instead of `=`, zero also counts as unset. Values are JSON without spaces.
   */
  readonly defaults?: string;
  /** Functions for defaults that depend on other fields. They run after `defaults`, and before the defaults of nested types. */
  readonly derived?: Readonly<Record<string, (object: Fields) => Fields>>;
  /**
   * Checks by type. Errors are reported in the order of the checks. Nested types are validated directly after the checks of their
   * field. Nested types of fields without checks are validated last.
   */
  readonly checks?: Readonly<Record<string, readonly FieldChecks[]>>;
  /** Fields with content that is not checked, such as `core.v1.Pod.spec`. */
  readonly unchecked?: readonly string[];
  /** Checks of updates, by the type of the complete object. */
  readonly changes?: Readonly<Record<string, ChangeCheck>>;
  /**
   * Merge rules of strategic merge patches. `field=mergeKey` means a list that is merged by this key. A `+` after the key enables
   * retainKeys. `field=` means a set of scalars, and `field=+` means an object with retainKeys. `field=!` means a value that is
   * replaced as a unit. Source: `patchStrategy` and `patchMergeKey` of kubernetes/api `{group}/{version}/types.go`.
   */
  readonly mergeKeys?: string;
  /**
   * Ownership rules of server-side apply. `field=key,key` means a list with items that are identified by these keys. `key:"TCP"`
   * defines the default of an unset key. `field=` means a set, and `field=!` means a value that is owned as a unit. `field=.`
   * means that each nested field has separate owners, although the field's type is atomic. `=!` applies to the type itself.
   * Source: `+listType`, `+listMapKey`, `+structType` and `+mapType` of kubernetes/api `{group}/{version}/types.go`.
   */
  readonly ownership?: string;
  /**
   * Protocol buffer field numbers by JSON name: `name=1`. `*` marks fields that are written even if they are zero. Such fields
   * are pointers in Go, or scalars without `omitempty`. `+Type` means a message with fields that JSON inlines into the outer
   * object. `:Bool`, `:Array` and `:StringArray` mean a message that contains a schema or a value of this type. `:Empty` means a
   * message that only marks presence. Source: kubernetes/api `{group}/{version}/generated.proto`. A published number never
   * changes.
   */
  readonly protobuf?: string;
  /**
   * Permitted strings of fields in alphabetical order, as in OpenAPI documents. Example: `core.v1.PodSpec.restartPolicy
   * Always|Never`.
   */
  readonly enums?: string;
}
