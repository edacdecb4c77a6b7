import type { JsonObject } from "@keelson/base";
import type { Draft } from "../arm/resource-type.ts";
import { members, nonEmptyStringAt } from "../base/json.ts";

/** Field order of Microsoft.Authorization objects. */
export const authorizationOrder: readonly string[] = ["properties", "id", "type", "name"];

/** Properties that the service sets: author and time of the creation and of the last update. */
export const stamps: readonly string[] = ["createdOn", "updatedOn", "createdBy", "updatedBy"];

/** Returns the author and time properties of a write at `now`. */
export function stampsOf({ existing, callerId = "" }: Draft, now: string): JsonObject {
  return {
    createdOn: existing?.createdAt ?? now,
    updatedOn: now,
    createdBy: nonEmptyStringAt(existing?.body, "properties", "createdBy") ?? callerId,
    updatedBy: callerId,
  };
}

/** Formats the times in `body` with seven fractional digits, as Azure does. */
export function shownStamps(body: JsonObject): JsonObject {
  const times = ["createdOn", "updatedOn"].flatMap((name) => {
    const text = members(body.properties)[name];
    return typeof text === "string" ? [[name, inTicks(text)]] : [];
  });
  return Object.fromEntries(times);
}

/** Formats a time with seven fractional digits: `2026-08-13T12:17:28.1230000Z`. */
function inTicks(time: string): string {
  const at = new Date(time);
  return Number.isNaN(at.getTime()) ? time : at.toISOString().replace("Z", "0000Z");
}
