import { isPlainObject } from "@keelson/base";

/** Returns a copy of a value with sorted property names, as Go serializes maps. */
export function sortedMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedMembers);
  if (!isPlainObject(value)) return value;
  const names = Object.keys(value).toSorted();
  return Object.fromEntries(names.map((name) => [name, sortedMembers(value[name])]));
}
