import type { Findings } from "./findings.ts";

export type Fields = Readonly<Record<string, unknown>>;

/** Validates one value. An unset one is `undefined`. `findings` knows the path of the value. */
export type Check = (value: unknown, findings: Findings) => void;

/** Field and its checks. Nested types are validated afterwards. The empty name is the object itself. */
export type FieldChecks = readonly [field: string, ...checks: readonly Check[]];

/** Validates an update. `current` is the previous object. */
export type ChangeCheck = (object: Fields, current: Fields, findings: Findings) => void;

/**
 * Facts about types that the API server needs. Types are named `package.version.Type`, such as
 * `core.v1.PodSpec`. String properties have a line per type with its fields.
 */
export interface TypeFacts {
  /** Fields and their types as in `models.generated.ts`, for types that it lacks. */
  readonly fields?: string;
  /**
   * Defaults of unset fields: `core.v1.PodSpec dnsPolicy="ClusterFirst"`. An empty string counts as unset.
   * With `:=`, a zero does too. Values are JSON without spaces.
   */
  readonly defaults?: string;
  /** Defaults that depend on other fields. Applied after `defaults` and before those of nested types. */
  readonly derived?: Readonly<Record<string, (object: Fields) => Fields>>;
  /**
   * Checks in the order of their reports. Nested types are validated at their field, or after the listed
   * fields.
   */
  readonly checks?: Readonly<Record<string, readonly FieldChecks[]>>;
  /** Fields with unchecked content, such as `core.v1.Pod.spec`. */
  readonly unchecked?: readonly string[];
  /** Update checks by the type of the complete object. */
  readonly changes?: Readonly<Record<string, ChangeCheck>>;
  /**
   * Merge rules of strategic merge patches: `field=mergeKey`. A `+` after the key adds retainKeys. `field=`
   * is a set of scalars, `field=+` an object with retainKeys, `field=!` is replaced as a unit. Source:
   * `patchStrategy` and `patchMergeKey` of kubernetes/api `{group}/{version}/types.go`.
   */
  readonly mergeKeys?: string;
  /**
   * Ownership of fields in server-side apply. `field=key,key` is a list with items identified by keys
   * (`key:"TCP"` has the default of an unset key). `field=` is a set, `field=!` is owned as a unit, `field=.`
   * is granular although its type is atomic. `=!` applies to the type itself. Source: `+listType`,
   * `+listMapKey`, `+structType`, `+mapType` in the same file.
   */
  readonly ownership?: string;
  /**
   * Protocol buffer numbers by JSON name: `name=1`. `*` marks fields that are written even if zero: pointers
   * in Go, and scalars without `omitempty`. `+Type` is a message with fields that JSON inlines into the outer
   * object. `:Bool`, `:Array` and `:StringArray` are messages for a schema or one of these types. `:Empty` is
   * a message that only marks presence. Source: generated.proto in the same directory. A published number
   * never changes.
   */
  readonly protobuf?: string;
  /**
   * Permitted strings of fields in alphabetical order, as OpenAPI shows them: `core.v1.PodSpec.restartPolicy
   * Always|Never`.
   */
  readonly enums?: string;
}
