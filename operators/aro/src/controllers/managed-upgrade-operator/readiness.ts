import type { AroCluster } from "@keelson/aro-api";
import { listAt, numberAt, stringAt } from "@keelson/base";
import type { Condition } from "@keelson/controller";
import type { KubeObject } from "@keelson/kube";

export const conditionType = "ManagedUpgradeOperatorStatus";
const timeoutMs = 5 * 60_000;

export interface Readiness {
  readonly condition: Condition;
  /**
   * Remaining time in ms before the deployment counts as failed. Set only if the deployment is not ready and this time has not
   * passed.
   */
  readonly deadlineInMs?: number;
  readonly failure?: string;
}

/**
 * Returns the readiness of the deployment. The deployment counts as not ready since the last transition of the Cluster's
 * condition.
 */
export function readiness(deployment: KubeObject | undefined, cluster: AroCluster, now: Date): Readiness {
  const fault = faultOf(deployment);
  const type = conditionType;
  if (fault === undefined)
    return { condition: { type, status: "True", reason: "Deployed", message: "The deployment is ready" } };
  const deadlineInMs = timeoutMs - (now.getTime() - notReadySince(cluster, now));
  if (deadlineInMs > 0)
    return {
      condition: { type, status: "False", reason: "DeploymentNotReady", message: fault },
      deadlineInMs,
    };
  const failure = `managed Upgrade Operator deployment timed out on Ready: ${fault}`;
  return { condition: { type, status: "False", reason: "DeploymentTimedOut", message: failure }, failure };
}

/** Returns the reason why the deployment is not ready. Undefined if it is ready. */
function faultOf(deployment: KubeObject | undefined): string | undefined {
  if (!deployment) return "there is no deployment";
  const { generation } = deployment.metadata;
  if (generation !== numberAt(deployment, "status", "observedGeneration"))
    return "the deployment has not been taken up yet";
  const wanted = numberAt(deployment, "spec", "replicas") ?? 1;
  for (const [member, adjective] of [
    ["updatedReplicas", "up to date"],
    ["availableReplicas", "available"],
    ["replicas", "there"],
  ] as const) {
    const count = numberAt(deployment, "status", member) ?? 0;
    if (count !== wanted) return `${count} of ${wanted} pods are ${adjective}`;
  }
  return undefined;
}

function notReadySince(cluster: AroCluster, now: Date): number {
  const before = listAt(cluster, "status", "conditions").find(
    (each) => stringAt(each, "type") === conditionType && stringAt(each, "status") === "False",
  );
  const since = Date.parse(stringAt(before, "lastTransitionTime") ?? "");
  return Number.isNaN(since) ? now.getTime() : since;
}
