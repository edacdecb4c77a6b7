import { isPlainObject } from "@keelson/base";

/** Copies a value with sorted properties, as Go writes maps. */
export function sortedMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedMembers);
  if (!isPlainObject(value)) return value;
  const names = Object.keys(value).toSorted();
  return Object.fromEntries(names.map((name) => [name, sortedMembers(value[name])]));
}
