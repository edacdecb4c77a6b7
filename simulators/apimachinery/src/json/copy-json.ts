import { isPlainObject, type WorkBudget } from "@keelson/base";

/** Depth limit of documents, far above real objects. It protects recursive functions. */
export const maxDepth = 512;

/** Deep copy. Its JSON size is deducted from the budget as bytes. @throws RangeError if it is too deep */
export function copyJson(value: unknown, budget: WorkBudget, depth = 0): unknown {
  if (depth > maxDepth) throw new RangeError(`nested deeper than ${maxDepth} levels`);
  if (Array.isArray(value)) {
    budget.spend(1, 2);
    return value.map((each) => copyJson(each, budget, depth + 1));
  }
  if (isPlainObject(value)) {
    const members: [string, unknown][] = [];
    for (const name of Object.keys(value)) {
      budget.spend(0, name.length + 4);
      members.push([name, copyJson(value[name], budget, depth + 1)]);
    }
    budget.spend(1, 2);
    // Object.fromEntries defines properties, so `__proto__` is an ordinary name.
    return Object.fromEntries(members);
  }
  budget.spend(1, typeof value === "string" ? value.length + 3 : 5);
  return value;
}

/** @throws RangeError if a value is nested too deeply */
export function requireDepth(value: unknown, budget: WorkBudget, depth = 0): void {
  budget.spend(1);
  if (depth > maxDepth) throw new RangeError(`nested deeper than ${maxDepth} levels`);
  if (Array.isArray(value)) for (const each of value) requireDepth(each, budget, depth + 1);
  else if (isPlainObject(value)) {
    for (const name of Object.keys(value)) requireDepth(value[name], budget, depth + 1);
  }
}
