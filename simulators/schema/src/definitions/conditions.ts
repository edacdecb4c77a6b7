import { scalarStringAt } from "@keelson/apimachinery";

/** Condition in a definition's status. */
export interface Condition {
  readonly type: string;
  readonly status: "True" | "False";
  readonly reason: string;
  readonly message: string;
}

/**
 * Sets a condition. An existing condition keeps its position in the list. The transition time changes only if the condition's
 * status changes.
 */
export function withCondition(
  conditions: readonly unknown[],
  { type, status, reason, message }: Condition,
  now: string,
): readonly unknown[] {
  const at = conditions.findIndex((each) => scalarStringAt(each, "type") === type);
  const before = conditions[at];
  const since =
    scalarStringAt(before, "status") === status ? scalarStringAt(before, "lastTransitionTime") : "";
  const condition = { lastTransitionTime: since || now, message, reason, status, type };
  return at < 0 ? [...conditions, condition] : conditions.with(at, condition);
}
