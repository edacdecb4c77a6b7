import { PatchError } from "@keelson/apimachinery";
import { isPlainObject } from "@keelson/base";

/**
 * Applies an RFC 7386 merge patch: null deletes a member, objects merge, everything else replaces. Objects that come with
 * a list lose their nulls too, as in kube-apiserver; nulls of the list itself stay. `object` stays as it is.
 * @throws PatchError 400 when the patch is not an object
 */
export function applyMergePatch(
  object: Readonly<Record<string, unknown>>,
  patch: unknown,
): Record<string, unknown> {
  if (!isPlainObject(patch)) throw new PatchError(400, "a merge patch must be a JSON object");
  return merge(object, patch);
}

/** Results are built from entries, never by assignment: a member called `__proto__` stays a plain member. */
function merge(target: unknown, patch: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const result = new Map(Object.entries(isPlainObject(target) ? target : {}));
  for (const [member, value] of Object.entries(patch)) {
    if (value === null) result.delete(member);
    else if (isPlainObject(value)) result.set(member, merge(result.get(member), value));
    // A list in the place of an object comes as it is: the library of kube-apiserver prunes all others only.
    else result.set(member, isPlainObject(result.get(member)) ? value : withoutNulls(value));
  }
  return Object.fromEntries(result);
}

/** A value without the members that are null, at every depth. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  return isPlainObject(value) ? merge({}, value) : value;
}
