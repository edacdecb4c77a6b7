import { isDeepStrictEqual } from "node:util";
import { isPlainObject } from "@keelson/base";

type JsonMap = Readonly<Record<string, unknown>>;

/**
 * The merge patch that gives `live` every member of `wanted`, `undefined` when it has them all. Members that only
 * `live` has stay: the server and other writers own them; a wanted null asks for absence. Lists count as equal when they have as many items and
 * every item has the wanted members, so that defaults filled in by the server are no difference.
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

/** An object that is absent has none of its members. */
function asksOnlyForAbsence(wanted: JsonMap): boolean {
  const members = Object.values(wanted);
  return (
    members.length > 0 &&
    members.every((member) => member === null || (isPlainObject(member) && asksOnlyForAbsence(member)))
  );
}
