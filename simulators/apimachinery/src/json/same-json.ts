import { isPlainObject } from "@keelson/base";

/** True if two values are equal JSON. Property order does not matter. An undefined property equals a missing one. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => sameJson(item, b[index]));
  }
  if (!isPlainObject(a) || !isPlainObject(b)) return false;
  for (const name of Object.keys(a)) {
    if (!sameJson(a[name], Object.hasOwn(b, name) ? b[name] : undefined)) return false;
  }
  for (const name of Object.keys(b)) if (b[name] !== undefined && !Object.hasOwn(a, name)) return false;
  return true;
}
