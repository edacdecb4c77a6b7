import { PatchError } from "@keelson/apimachinery";
import { isPlainObject } from "@keelson/base";

/**
 * Applies an RFC 7386 merge patch and returns the result. `object` is not changed. Null deletes a property, objects are merged,
 * and all other values are replaced. As in kube-apiserver, null properties of objects in a list are removed. Null items of the
 * list itself remain.
 * @throws PatchError 400 if the patch is not an object
 */
export function applyMergePatch(
  object: Readonly<Record<string, unknown>>,
  patch: unknown,
): Record<string, unknown> {
  if (!isPlainObject(patch)) throw new PatchError(400, "a merge patch must be a JSON object");
  return merge(object, patch);
}

/** Merges an object. The result is built from entries, so `__proto__` is an ordinary property. */
function merge(target: unknown, patch: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const result = new Map(Object.entries(isPlainObject(target) ? target : {}));
  for (const [member, value] of Object.entries(patch)) {
    if (value === null) result.delete(member);
    else if (isPlainObject(value)) result.set(member, merge(result.get(member), value));
    // If a list replaces an object, the list keeps its nulls. kube-apiserver's library removes nulls only from lists that do not
    // replace an object.
    else result.set(member, isPlainObject(result.get(member)) ? value : withoutNulls(value));
  }
  return Object.fromEntries(result);
}

/** Removes null properties at every depth. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  return isPlainObject(value) ? merge({}, value) : value;
}
