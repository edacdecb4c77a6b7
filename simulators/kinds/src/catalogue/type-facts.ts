import type { Findings } from "./findings.ts";

export type Fields = Readonly<Record<string, unknown>>;

/** Judges one value; an absent one is `undefined`. `findings` knows where the value stands. */
export type Check = (value: unknown, findings: Findings) => void;

/** A field and what is checked of it, then inside it. The empty name is the object itself. */
export type FieldChecks = readonly [field: string, ...checks: readonly Check[]];

/** What an update may not do: `current` is the object as it was. */
export type ChangeCheck = (object: Fields, current: Fields, findings: Findings) => void;

/**
 * What the API server knows of some types. Types are named `package.version.Type`, as `core.v1.PodSpec`; texts have a line
 * for each type, and fields of it.
 */
export interface TypeFacts {
  /** Fields and their types as in `models.generated.ts`, for types that are not there. */
  readonly fields?: string;
  /**
   * The values of absent fields: `core.v1.PodSpec dnsPolicy="ClusterFirst"`. An empty text counts as absent, and with `:=`
   * a zero too. Values are JSON without spaces.
   */
  readonly defaults?: string;
  /** Defaults that depend on other fields; they come after those of `defaults`, and before those inside. */
  readonly derived?: Readonly<Record<string, (object: Fields) => Fields>>;
  /** In the order in which a server reports them. Types inside are checked at their field, or after those listed. */
  readonly checks?: Readonly<Record<string, readonly FieldChecks[]>>;
  /** Fields, as `core.v1.Pod.spec`, inside which nothing is checked. */
  readonly unchecked?: readonly string[];
  /** By the type of the whole object. */
  readonly changes?: Readonly<Record<string, ChangeCheck>>;
  /**
   * How strategic merge patches merge fields: `field=mergeKey`. A `+` after the key adds retainKeys; `field=` is a set of
   * scalars; `field=+` an object with retainKeys; `field=!` is replaced whole. Facts: `patchStrategy` and `patchMergeKey`
   * of kubernetes/api `{group}/{version}/types.go`.
   */
  readonly mergeKeys?: string;
  /**
   * How server-side apply divides fields: lists into items by `field=key,key` (`key:"TCP"` with the value of an absent one),
   * `field=` a set; `field=!` is owned as a whole, `field=.` by member though its type is not. `=!` is of the type itself.
   * Facts: `+listType`, `+listMapKey`, `+structType`, `+mapType` there.
   */
  readonly ownership?: string;
  /**
   * Protocol buffer numbers by JSON name: `name=1`. `*` marks members whose zero is written: pointers in Go, and scalars
   * that Go's JSON never leaves out. `+Type` is a message whose members stand in the outer object in JSON; `:Bool`,
   * `:Array` and `:StringArray` are the messages that stand for either a schema or that, `:Empty` one that says all by
   * being there. Facts: generated.proto there; a published number never changes.
   */
  readonly protobuf?: string;
  /** Fields and their texts in alphabetical order, as OpenAPI shows them: `core.v1.PodSpec.restartPolicy Always|Never`. */
  readonly enums?: string;
}
