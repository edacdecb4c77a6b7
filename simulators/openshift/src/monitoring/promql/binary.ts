import { errors } from "../../base/errors.ts";
import { groupLabels } from "./aggregate.ts";
import type { Binary } from "./expression.ts";
import { labelKey, type Sample, without } from "./series.ts";

export type Value = number | readonly Sample[];

const arithmetic: Readonly<Record<string, (a: number, b: number) => number>> = {
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => a * b,
  "/": (a, b) => a / b,
  "%": (a, b) => a % b,
  "^": (a, b) => a ** b,
  atan2: Math.atan2,
};
const comparisons: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  "==": (a, b) => a === b,
  "!=": (a, b) => a !== b,
  ">": (a, b) => a > b,
  "<": (a, b) => a < b,
  ">=": (a, b) => a >= b,
  "<=": (a, b) => a <= b,
};

/** Applies an arithmetic, comparison or set operator with one-to-one matching of the series on both sides. @throws BadQuery */
export function combine(binary: Binary, left: Value, right: Value): Value {
  const { operator, bool } = binary;
  if (operator === "and" || operator === "or" || operator === "unless") {
    if (typeof left === "number" || typeof right === "number")
      throw errors.BadQuery(`${operator} accepts only vectors`);
    return combineSets(binary, left, right);
  }
  if (typeof left === "number" && typeof right === "number") {
    if (Object.hasOwn(comparisons, operator) && !bool)
      throw errors.BadQuery("comparisons between scalars must use BOOL modifier");
    return calculate(binary, left, right, left) ?? Number.NaN;
  }
  if (typeof right === "number" && typeof left !== "number")
    return left.flatMap((sample) =>
      result(binary, sample, calculate(binary, sample.value, right, sample.value)),
    );
  if (typeof left === "number" && typeof right !== "number")
    return right.flatMap((sample) =>
      result(binary, sample, calculate(binary, left, sample.value, sample.value)),
    );
  if (typeof left === "number" || typeof right === "number") return [];
  return combineVectors(binary, left, right);
}

function combineVectors(
  binary: Binary,
  left: readonly Sample[],
  right: readonly Sample[],
): readonly Sample[] {
  const byKey = new Map<string, Sample>();
  for (const sample of right) {
    const key = keyOf(binary, sample);
    if (byKey.has(key))
      throw errors.BadQuery("found duplicate series for the match group on the right hand-side");
    byKey.set(key, sample);
  }
  const met = new Set<string>();
  return left.flatMap((sample) => {
    const key = keyOf(binary, sample);
    const other = byKey.get(key);
    if (!other) return [];
    if (met.has(key))
      throw errors.BadQuery("multiple matches for labels: many-to-one matching is not supported");
    met.add(key);
    const value = calculate(binary, sample.value, other.value, sample.value);
    const filters = Object.hasOwn(comparisons, binary.operator) && !binary.bool;
    if (filters || value === undefined) return value === undefined ? [] : [{ ...sample, value }];
    return [{ labels: groupLabels(sample.labels, binary.matching), value }];
  });
}

function combineSets(binary: Binary, left: readonly Sample[], right: readonly Sample[]): readonly Sample[] {
  const rightKeys = new Set(right.map((sample) => keyOf(binary, sample)));
  const leftKeys = new Set(left.map((sample) => keyOf(binary, sample)));
  if (binary.operator === "and") return left.filter((sample) => rightKeys.has(keyOf(binary, sample)));
  if (binary.operator === "unless") return left.filter((sample) => !rightKeys.has(keyOf(binary, sample)));
  return [...left, ...right.filter((sample) => !leftKeys.has(keyOf(binary, sample)))];
}

function keyOf({ matching }: Binary, { labels }: Sample): string {
  return labelKey(groupLabels(labels, matching));
}

function result({ operator, bool }: Binary, sample: Sample, value: number | undefined): readonly Sample[] {
  if (value === undefined) return [];
  const keepsName = Object.hasOwn(comparisons, operator) && !bool;
  return [{ labels: keepsName ? sample.labels : without(sample.labels, ["__name__"]), value }];
}

/**
 * Calculates the result of an operator. With the modifier `bool`, a comparison returns 1 or 0. Otherwise, a true comparison
 * returns `kept`. A false comparison returns `undefined`, and the caller drops the sample.
 */
function calculate({ operator, bool }: Binary, a: number, b: number, kept: number): number | undefined {
  const compare = Object.hasOwn(comparisons, operator) ? comparisons[operator] : undefined;
  if (compare) {
    if (bool) return compare(a, b) ? 1 : 0;
    return compare(a, b) ? kept : undefined;
  }
  const apply = Object.hasOwn(arithmetic, operator) ? arithmetic[operator] : undefined;
  if (!apply) throw errors.BadQuery(`the operator ${operator} is not supported by the simulated Prometheus`);
  return apply(a, b);
}
