import { type Condition, timestamp } from "@keelson/controller";
import { listAt, textAt, textsAt } from "./fields.ts";

/**
 * Merges `wanted` into the conditions of `object.status` by type. `lastTransitionTime` changes only with the
 * status. Other types keep their position. Times are RFC 3339 in seconds (API conventions).
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

/** Condition of a type. Empty if it does not exist. */
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
