import { objectAt, valueAt } from "@keelson/base";

/** Returns the string, number or boolean at a path, converted to a string. Default: an empty string. */
export function scalarStringAt(value: unknown, ...path: readonly string[]): string {
  const found = valueAt(value, ...path);
  return ["string", "number", "bigint", "boolean"].includes(typeof found) ? String(found) : "";
}

/** Returns the number at a path. Default: 0. */
export function numberOrZeroAt(value: unknown, ...path: readonly string[]): number {
  const found = valueAt(value, ...path);
  return typeof found === "number" ? found : 0;
}

/**
 * Returns a copy of `object` with a new value at a path. `undefined` removes the property. Missing parent objects are created.
 */
export function withValueAt(
  object: Readonly<Record<string, unknown>>,
  path: readonly string[],
  value: unknown,
): Record<string, unknown> {
  const [member, ...rest] = path;
  if (member === undefined) return { ...object };
  const next = rest.length === 0 ? value : withValueAt(objectAt(object, member), rest, value);
  const known = Object.hasOwn(object, member) ? [] : [[member, next] as const];
  const entries = Object.entries(object).map(([key, old]) => [key, key === member ? next : old] as const);
  // Object.fromEntries creates an ordinary property even for the name `__proto__`. An assignment would set the prototype.
  return Object.fromEntries([...entries, ...known].filter(([, each]) => each !== undefined));
}
