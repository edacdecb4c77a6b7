import { type Condition, timestamp } from "@keelson/controller";
import { listAt, textAt, textsAt } from "./fields.ts";

/**
 * Merges `wanted` into the conditions of `object.status` by type. `lastTransitionTime` changes only if the status changes.
 * Conditions of other types stay unchanged. Times are in RFC 3339 format, in seconds (API conventions).
 */
export function withConditions(object: unknown, wanted: readonly Condition[], now: Date): readonly unknown[] {
  const present = listAt(object, "status", "conditions");
  const merged = wanted.map((condition) => {
    const before = present.find((each) => textAt(each, "type") === condition.type);
    const unchanged = textAt(before, "status") === condition.status;
    const since = unchanged ? textAt(before, "lastTransitionTime") : undefined;
    return { ...condition, lastTransitionTime: since ?? timestamp(now) };
  });
  const others = present.filter((each) => !wanted.some(({ type }) => type === textAt(each, "type")));
  return [...merged, ...others];
}

/** Returns the condition of a type. Empty if the condition does not exist. */
export function conditionOf(
  object: unknown,
  type: string,
): { readonly status?: string; readonly reason?: string; readonly message?: string } {
  const condition = listAt(object, "status", "conditions").find((each) => textAt(each, "type") === type);
  return textsAt(condition);
}

export function conditionStatus(object: unknown, type: string): string | undefined {
  const condition = listAt(object, "status", "conditions").find((each) => textAt(each, "type") === type);
  return textAt(condition, "status");
}
