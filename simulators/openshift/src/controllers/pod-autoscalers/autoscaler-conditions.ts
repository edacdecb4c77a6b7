import type { Condition } from "@keelson/controller";
import type { Proposal } from "./replica-proposal.ts";
import type { Decision } from "./scaling-behavior.ts";

/** Returns the condition `ScalingActive`. It is true if a metric is available. */
export function activeCondition(of: Proposal | "disabled"): Condition {
  const type = "ScalingActive";
  if (of === "disabled") {
    const message = "scaling is disabled since the replica count of the target is zero";
    return { type, status: "False", reason: "ScalingDisabled", message };
  }
  if (of.kind === "failed") return { type, status: "False", reason: of.reason, message: of.message };
  const message = `the HPA was able to successfully calculate a replica count from ${of.metric}`;
  return { type, status: "True", reason: "ValidMetricFound", message };
}

/** Returns the condition `AbleToScale` for an evaluation that leaves the replica count unchanged. */
export function stableCondition({ stabilized }: Decision): Condition {
  const type = "AbleToScale";
  if (stabilized === "down") {
    const message =
      "recent recommendations were higher than current one, applying the highest recent recommendation";
    return { type, status: "True", reason: "ScaleDownStabilized", message };
  }
  if (stabilized === "up") {
    const message =
      "recent recommendations were lower than current one, applying the lowest recent recommendation";
    return { type, status: "True", reason: "ScaleUpStabilized", message };
  }
  const message = "recommended size matches current size";
  return { type, status: "True", reason: "ReadyForNewScale", message };
}

const limits = {
  TooManyReplicas: "the desired replica count is more than the maximum replica count",
  TooFewReplicas: "the desired replica count is less than the minimum replica count",
  ScaleUpLimit: "the desired replica count is increasing faster than the maximum scale rate",
  ScaleDownLimit: "the desired replica count is decreasing faster than the maximum scale rate",
} as const;

/** Returns the condition `ScalingLimited`. It is true if the limits changed the proposed replica count. */
export function limitedCondition({ limited }: Decision): Condition {
  const type = "ScalingLimited";
  if (limited) return { type, status: "True", reason: limited, message: limits[limited] };
  const message = "the desired count is within the acceptable range";
  return { type, status: "False", reason: "DesiredWithinRange", message };
}
