import { isPlainObject } from "@keelson/base";

/** The value at a path of member names, `undefined` where a step is missing. Only own members count. */
export function valueAt(value: unknown, ...path: readonly string[]): unknown {
  let found = value;
  for (const member of path) {
    if (!isPlainObject(found) || !Object.hasOwn(found, member)) return undefined;
    found = found[member];
  }
  return found;
}

/** The object at a path, empty where there is none. */
export function recordAt(value: unknown, ...path: readonly string[]): Readonly<Record<string, unknown>> {
  const found = valueAt(value, ...path);
  return isPlainObject(found) ? found : {};
}

/** The array at a path, empty where there is none. */
export function arrayAt(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const found = valueAt(value, ...path);
  return Array.isArray(found) ? found : [];
}

/** A string, number or boolean at a path as text, empty where there is none. */
export function textAt(value: unknown, ...path: readonly string[]): string {
  const found = valueAt(value, ...path);
  return ["string", "number", "bigint", "boolean"].includes(typeof found) ? String(found) : "";
}

/** The strings of the array at a path. */
export function textsAt(value: unknown, ...path: readonly string[]): readonly string[] {
  return arrayAt(value, ...path).filter((each) => typeof each === "string");
}

/** A copy of `object` with the value at a path replaced (removed when `undefined`), objects made as needed. */
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
  // Object.fromEntries defines members, so that even `__proto__` is an ordinary name.
  return Object.fromEntries([...entries, ...known].filter(([, each]) => each !== undefined));
}
