import { isPlainObject, type WorkBudget } from "@keelson/base";

/** Cached results of object and list comparisons. */
export type KnownEqual = WeakMap<object, { readonly other: unknown; readonly equal: boolean }>;

/** True if two values are equal JSON. Comparisons cached in `known` are not repeated. */
export function equalJson(a: unknown, b: unknown, budget: WorkBudget, known: KnownEqual): boolean {
  budget.spend(1);
  if (a === b) return true;
  if (typeof a !== "object" || a === null || typeof b !== "object" || b === null) return false;
  const before = known.get(a);
  if (before?.other === b) return before.equal;
  const equal = equalParts(a, b, budget, known);
  known.set(a, { other: b, equal });
  return equal;
}

function equalParts(a: object, b: object, budget: WorkBudget, known: KnownEqual): boolean {
  if (Array.isArray(a)) {
    return (
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((item, at) => equalJson(item, b[at], budget, known))
    );
  }
  if (!isPlainObject(a) || !isPlainObject(b)) return false;
  const names = Object.keys(a);
  if (names.length !== Object.keys(b).length) return false;
  return names.every((name) => Object.hasOwn(b, name) && equalJson(a[name], b[name], budget, known));
}
