import type { Findings } from "../findings.ts";

export type Fields = Readonly<Record<string, unknown>>;

/** Judges one value; an absent one is `undefined`. `findings` knows where the value stands. */
export type Check = (value: unknown, findings: Findings) => void;

/** A field and what is checked of it, then inside it. The empty name is the object itself. */
export type FieldChecks = readonly [field: string, ...checks: readonly Check[]];

/** What an update may not do: `current` is the object as it was. */
export type ChangeCheck = (object: Fields, current: Fields, findings: Findings) => void;

/** What the API server knows of a group's types beyond their fields. Types are named as in the catalogue. */
export interface GroupFacts {
  /**
   * A line is a type and the values of absent fields: `core.v1.PodSpec dnsPolicy="ClusterFirst"`. An empty text counts
   * as absent, and with `:=` a zero too. Values are JSON without spaces.
   */
  readonly defaults: string;
  /** Defaults that depend on other fields; they come after those of `defaults`, and before those inside. */
  readonly derived?: Readonly<Record<string, (object: Fields) => Fields>>;
  /** In the order in which a server reports them. Types inside are checked at their field, or after those listed. */
  readonly checks?: Readonly<Record<string, readonly FieldChecks[]>>;
  /** Fields, as `core.v1.Pod.spec`, inside which nothing is checked. */
  readonly unchecked?: readonly string[];
  /** By the type of the whole object. */
  readonly changes?: Readonly<Record<string, ChangeCheck>>;
}
