/** Subset of PromQL that the simulated Prometheus supports. */
export type Expression =
  | { readonly kind: "number"; readonly value: number }
  | { readonly kind: "selector"; readonly selector: Selector }
  | { readonly kind: "call"; readonly name: string; readonly args: readonly Expression[] }
  | { readonly kind: "negation"; readonly operand: Expression }
  | Aggregation
  | Binary;

export interface Aggregation {
  readonly kind: "aggregation";
  readonly operator: string;
  readonly parameter?: Expression;
  readonly operand: Expression;
  readonly grouping: Grouping;
}

/**
 * Labels by which samples are grouped. `only` selects the listed labels. If `only` is false, all labels except the listed ones
 * are selected.
 */
export interface Grouping {
  readonly only: boolean;
  readonly labels: readonly string[];
}

export interface Binary {
  readonly kind: "binary";
  readonly operator: string;
  readonly left: Expression;
  readonly right: Expression;
  /** True for the modifier `bool`: a comparison returns 0 or 1 instead of dropping samples. */
  readonly bool: boolean;
  readonly matching: Grouping;
}

export interface Selector {
  readonly matchers: readonly Matcher[];
  /** Length of a sample range in milliseconds. Unset for instant selectors. */
  readonly rangeMs?: number;
  readonly offsetMs: number;
}

export interface Matcher {
  readonly label: string;
  readonly negative: boolean;
  matches(value: string): boolean;
}
