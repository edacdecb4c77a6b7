import type { Condition, ConditionStatus } from "@keelson/controller";

/** Condition in the status of an operator's configuration. */
export interface ReportedCondition extends Condition {
  readonly lastTransitionTime?: string;
}

export interface Union {
  readonly condition: Condition;
  /**
   * Time at which the conditions must be merged again, even if no object changes. At this time, a bad condition exceeds its
   * inertia.
   */
  readonly againAt?: Date;
}

/** Returns the time in ms that a condition may be bad before it affects the union. */
export type Inertia = (type: string) => number;

/**
 * Merges all conditions with the type suffix `type` into one ClusterOperator condition. The merged condition becomes bad only
 * when a condition has been bad for at least its inertia.
 */
export function unionCondition(
  type: string,
  good: ConditionStatus,
  all: readonly ReportedCondition[],
  now: Date,
  inertia: Inertia = () => 0,
): Union {
  const matching = all.filter((each) => each.type.endsWith(type));
  if (matching.length === 0) return { condition: { type, status: "Unknown", reason: "NoData" } };
  const bad = matching.filter(({ status }) => status !== good).sort((a, b) => (a.type < b.type ? -1 : 1));
  const countsFrom = bad.map((each) => sinceMs(each) + inertia(each.type));
  if (!countsFrom.some((ms) => ms <= now.getTime())) {
    const condition = {
      type,
      status: good,
      reason: "AsExpected",
      message: unionMessage(matching) || "All is well",
    };
    return countsFrom.length === 0
      ? { condition }
      : { condition, againAt: new Date(Math.min(...countsFrom)) };
  }
  const opposite = good === "True" ? "False" : "True";
  const status = bad.some((each) => each.status === opposite) ? opposite : "Unknown";
  const reason = bad
    .map((each) => reasonOf(type, each))
    .sort()
    .join("::");
  return { condition: { type, status, reason, message: unionMessage(bad) } };
}

function sinceMs({ lastTransitionTime }: ReportedCondition): number {
  const since = new Date(lastTransitionTime ?? 0).getTime();
  return Number.isNaN(since) ? 0 : since;
}

/** Returns a reason that consists of the type without the suffix and the condition's reason. */
function reasonOf(type: string, condition: Condition): string {
  const name = condition.type.slice(0, -type.length);
  return condition.reason ? `${name}_${condition.reason}` : name;
}

function unionMessage(conditions: readonly Condition[]): string {
  return conditions
    .flatMap(({ type, message = "" }) =>
      message === "" ? [] : [...new Set(message.split("\n"))].map((line) => `${type}: ${line}`),
    )
    .join("\n");
}
