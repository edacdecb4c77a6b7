import { isPlainObject } from "./json.ts";

/**
 * Applies a JSON merge patch (RFC 7386): null removes a field, objects merge, every other value replaces. Undefined
 * changes nothing. Returns a new object, built from entries: a field may be called `__proto__`.
 */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isPlainObject(patch)) return patch;
  const merged = new Map(Object.entries(isPlainObject(target) ? target : {}));
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name);
    else if (value !== undefined) merged.set(name, mergePatch(merged.get(name), value));
  }
  return Object.fromEntries(merged);
}
