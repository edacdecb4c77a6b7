import { listAt, stringAt } from "@keelson/base";
import type { Condition, ConditionStatus } from "@keelson/controller";

/**
 * Merges the Cluster's conditions with types that end in `suffix` into one condition. If all of them have the status `good`, the
 * merged condition also has this status. If not, its message lists the conditions with a different status.
 * @see openshift/library-go pkg/operator/status/condition.go
 */
export function unionCondition(cluster: unknown, suffix: string, good: "True" | "False"): Condition {
  const matching = listAt(cluster, "status", "conditions").flatMap((each) => {
    const type = stringAt(each, "type") ?? "";
    if (!type.endsWith(suffix)) return [];
    const status = (stringAt(each, "status") ?? "Unknown") as ConditionStatus;
    return [
      { type, status, reason: stringAt(each, "reason") ?? "", message: stringAt(each, "message") ?? "" },
    ];
  });
  if (matching.length === 0) return { type: suffix, status: "Unknown", reason: "NoData", message: "" };
  const bad = matching.filter(({ status }) => status !== good);
  if (bad.length === 0)
    return { type: suffix, status: good, reason: "AsExpected", message: lines(matching) || "All is well" };
  const opposite = good === "True" ? "False" : "True";
  const reasons = bad.map(({ type, reason }) => {
    const prefix = type.slice(0, -suffix.length);
    return reason === "" ? prefix : `${prefix}_${reason}`;
  });
  return {
    type: suffix,
    status: bad.some(({ status }) => status === opposite) ? opposite : "Unknown",
    reason: reasons.toSorted().join("::"),
    message: lines(bad),
  };
}

function lines(conditions: readonly Required<Pick<Condition, "type" | "message">>[]): string {
  return conditions
    .toSorted((a, b) => (a.type < b.type ? -1 : 1))
    .flatMap(({ type, message }) =>
      message
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => `${type}: ${line}`),
    )
    .join("\n");
}
