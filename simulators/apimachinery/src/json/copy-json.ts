import { isPlainObject, type WorkBudget } from "@keelson/base";

/**
 * Maximum nesting depth of documents, far more than real objects need. The limit prevents a stack overflow in recursive
 * functions.
 */
export const maxDepth = 512;

/**
 * Returns a deep copy. The copy's JSON size in bytes is deducted from the budget.
 * @throws RangeError if the value is too deep
 */
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
    // Object.fromEntries creates an ordinary property even for the name `__proto__`. An assignment would set the prototype.
    return Object.fromEntries(members);
  }
  budget.spend(1, typeof value === "string" ? value.length + 3 : 5);
  return value;
}

/**
 * Checks the nesting depth of a value.
 * @throws RangeError if the value is nested too deeply
 */
export function requireDepth(value: unknown, budget: WorkBudget, depth = 0): void {
  budget.spend(1);
  if (depth > maxDepth) throw new RangeError(`nested deeper than ${maxDepth} levels`);
  if (Array.isArray(value)) for (const each of value) requireDepth(each, budget, depth + 1);
  else if (isPlainObject(value)) {
    for (const name of Object.keys(value)) requireDepth(value[name], budget, depth + 1);
  }
}
