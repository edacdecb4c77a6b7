import { isDeepStrictEqual } from "node:util";
import { isPlainObject } from "@keelson/base";

type JsonMap = Readonly<Record<string, unknown>>;

/**
 * Returns the merge patch that sets every field of `wanted` in `live`. Returns undefined if nothing differs. Fields that exist
 * only in `live` belong to the server or to other writers, so the patch does not change them. Null in `wanted` means that the
 * field must be absent. Two lists are equal if they have the same length and each live item has the fields of the wanted item.
 * Defaults that the server adds to list items are therefore not a difference.
 */
export function differences(live: JsonMap, wanted: JsonMap): Record<string, unknown> | undefined {
  const patch: [string, unknown][] = [];
  for (const [member, value] of Object.entries(wanted)) {
    const present = Object.hasOwn(live, member) ? live[member] : undefined;
    if (value === undefined || covers(present, value)) continue;
    const inner = isPlainObject(value) && isPlainObject(present) ? differences(present, value) : value;
    patch.push([member, inner]);
  }
  return patch.length === 0 ? undefined : Object.fromEntries(patch);
}

function covers(live: unknown, wanted: unknown): boolean {
  if (wanted === null) return live === null || live === undefined;
  if (Array.isArray(wanted)) {
    const items = Array.isArray(live) ? live : undefined;
    return items?.length === wanted.length && wanted.every((item, index) => covers(items[index], item));
  }
  if (!isPlainObject(wanted)) return isDeepStrictEqual(live, wanted);
  if (!isPlainObject(live)) return live === undefined && asksOnlyForAbsence(wanted);
  return Object.entries(wanted).every(
    ([member, value]) =>
      value === undefined || covers(Object.hasOwn(live, member) ? live[member] : undefined, value),
  );
}

/** True if `wanted` only requires the absence of fields. A missing object satisfies this requirement. */
function asksOnlyForAbsence(wanted: JsonMap): boolean {
  const members = Object.values(wanted);
  return (
    members.length > 0 &&
    members.every((member) => member === null || (isPlainObject(member) && asksOnlyForAbsence(member)))
  );
}
