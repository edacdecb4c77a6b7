import { isPlainObject, valueAt } from "@keelson/base";

/** Returns the entries of a string map, sorted by name like printed labels. */
export function textMapAt(
  value: unknown,
  ...path: readonly string[]
): readonly (readonly [string, string])[] {
  const found = valueAt(value, ...path);
  return Object.entries(isPlainObject(found) ? found : {})
    .map(([name, text]): [string, string] => [name, String(text)])
    .sort(([left], [right]) => (left < right ? -1 : 1));
}

export function countAt(value: unknown, ...path: readonly string[]): number {
  const found = valueAt(value, ...path);
  return Array.isArray(found) ? found.length : isPlainObject(found) ? Object.keys(found).length : 0;
}
