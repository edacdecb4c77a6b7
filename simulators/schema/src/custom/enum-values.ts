import { isDeepStrictEqual } from "node:util";

interface EnumValues {
  readonly scalars: ReadonlySet<unknown>;
  readonly others: readonly unknown[];
}

const kept = new WeakMap<readonly unknown[], EnumValues>();

/** True if an `enum` contains a value. Long enums are converted to a set, because the search in a set is faster. */
export function isListed(values: readonly unknown[], value: unknown): boolean {
  const { scalars, others } = valuesOf(values);
  return isObject(value) ? others.some((each) => isDeepStrictEqual(each, value)) : scalars.has(value);
}

function valuesOf(values: readonly unknown[]): EnumValues {
  const known = kept.get(values);
  if (known) return known;
  const made = {
    scalars: new Set(values.filter((each) => !isObject(each))),
    others: values.filter(isObject),
  };
  kept.set(values, made);
  return made;
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}
