import { isPlainObject, type JsonValue } from "./json.ts";

/**
 * Applies a JSON merge patch (RFC 7386). In the patch, null removes a field, an object is merged into the field, and any other
 * value replaces the field. Undefined fields are ignored. Returns a new object. Field names such as `__proto__` are safe.
 */
export function mergePatch(target: JsonValue | undefined, patch: JsonValue): JsonValue;
export function mergePatch(target: unknown, patch: unknown): unknown;
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isPlainObject(patch)) return patch;
  const merged = new Map(Object.entries(isPlainObject(target) ? target : {}));
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name);
    else if (value !== undefined) merged.set(name, mergePatch(merged.get(name), value));
  }
  return Object.fromEntries(merged);
}
