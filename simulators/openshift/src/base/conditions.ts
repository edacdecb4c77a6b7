import { listAt, stringAt } from "@keelson/base";
import { type Condition, timestamp } from "@keelson/controller";
import { findCondition } from "@keelson/kube";
import { stringMapAt } from "./fields.ts";

/**
 * Merges `wanted` into the conditions of `object.status` by type. `lastTransitionTime` changes only if the status changes.
 * Conditions of other types stay unchanged. Times are in RFC 3339 format, in seconds (API conventions).
 */
export function withConditions(object: unknown, wanted: readonly Condition[], now: Date): readonly unknown[] {
  const present = listAt(object, "status", "conditions");
  const merged = wanted.map((condition) => {
    const before = present.find((each) => stringAt(each, "type") === condition.type);
    const unchanged = stringAt(before, "status") === condition.status;
    const since = unchanged ? stringAt(before, "lastTransitionTime") : undefined;
    return { ...condition, lastTransitionTime: since ?? timestamp(now) };
  });
  const others = present.filter((each) => !wanted.some(({ type }) => type === stringAt(each, "type")));
  return [...merged, ...others];
}

/** Returns the condition of a type. Empty if the condition does not exist. */
export function conditionOf(
  object: unknown,
  type: string,
): { readonly status?: string; readonly reason?: string; readonly message?: string } {
  return stringMapAt(findCondition(object, type));
}
