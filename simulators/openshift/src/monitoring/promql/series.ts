import type { Matcher } from "./expression.ts";

/** Label values by name, including `__name__`. */
export type Labels = Readonly<Record<string, string>>;

/** Time series. Its values are computed by a function of time. */
export interface Series {
  readonly labels: Labels;
  /** Value at a time in Unix milliseconds. `undefined` if there is no sample. */
  at(ms: number): number | undefined;
}

export interface Sample {
  readonly labels: Labels;
  readonly value: number;
}

export function matchesAll(labels: Labels, matchers: readonly Matcher[]): boolean {
  return matchers.every((matcher) => matcher.matches(labels[matcher.label] ?? ""));
}

export function without(labels: Labels, names: readonly string[]): Labels {
  return Object.fromEntries(Object.entries(labels).filter(([name]) => !names.includes(name)));
}

export function only(labels: Labels, names: readonly string[]): Labels {
  return Object.fromEntries(Object.entries(labels).filter(([name]) => names.includes(name)));
}

/** Returns a unique key of a label set. The key does not depend on the order of the labels. */
export function labelKey(labels: Labels): string {
  return JSON.stringify(Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1)));
}
