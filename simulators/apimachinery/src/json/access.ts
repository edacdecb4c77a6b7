import { isPlainObject } from "@keelson/base";

/** Returns the value at a path of property names, or undefined if a step is missing. Inherited properties are ignored. */
export function valueAt(value: unknown, ...path: readonly string[]): unknown {
  let found = value;
  for (const member of path) {
    if (!isPlainObject(found) || !Object.hasOwn(found, member)) return undefined;
    found = found[member];
  }
  return found;
}

/** Returns the object at a path. Default: an empty object. */
export function recordAt(value: unknown, ...path: readonly string[]): Readonly<Record<string, unknown>> {
  const found = valueAt(value, ...path);
  return isPlainObject(found) ? found : {};
}

/** Returns the array at a path. Default: an empty array. */
export function arrayAt(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const found = valueAt(value, ...path);
  return Array.isArray(found) ? found : [];
}

/** Returns the string, number or boolean at a path, converted to a string. Default: an empty string. */
export function scalarStringAt(value: unknown, ...path: readonly string[]): string {
  const found = valueAt(value, ...path);
  return ["string", "number", "bigint", "boolean"].includes(typeof found) ? String(found) : "";
}

/** Returns the strings in the array at a path. */
export function stringsAt(value: unknown, ...path: readonly string[]): readonly string[] {
  return arrayAt(value, ...path).filter((each) => typeof each === "string");
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
  const next = rest.length === 0 ? value : withValueAt(recordAt(object, member), rest, value);
  const known = Object.hasOwn(object, member) ? [] : [[member, next] as const];
  const entries = Object.entries(object).map(([key, old]) => [key, key === member ? next : old] as const);
  // Object.fromEntries creates an ordinary property even for the name `__proto__`. An assignment would set the prototype.
  return Object.fromEntries([...entries, ...known].filter(([, each]) => each !== undefined));
}
