import { listAt, stringAt } from "@keelson/base";
import { conditionStatus, type KubeClient, objectFields, resources } from "@keelson/kube";
import type { ClusterOperators } from "@keelson/portal-api";

const fields = objectFields({
  status: {
    conditions: { type: true, status: true, reason: true, message: true, lastTransitionTime: true },
  },
});

/** Reads the status of the cluster's ClusterOperators. */
export async function readClusterOperators(kube: KubeClient, signal: AbortSignal): Promise<ClusterOperators> {
  const { items } = await kube.list(resources.clusterOperators, { fields }, signal);
  const stateOf = (operator: unknown, type: string) => conditionStatus(operator, type) ?? "Unknown";
  return {
    operators: items.map((operator) => ({
      name: operator.metadata.name ?? "",
      available: stateOf(operator, "Available"),
      progressing: stateOf(operator, "Progressing"),
      degraded: stateOf(operator, "Degraded"),
      conditions: listAt(operator, "status", "conditions").map((condition) => ({
        type: stringAt(condition, "type") ?? "",
        status: stringAt(condition, "status") ?? "",
        reason: stringAt(condition, "reason") ?? "",
        message: stringAt(condition, "message") ?? "",
        lastUpdated: stringAt(condition, "lastTransitionTime") ?? "",
      })),
    })),
  };
}
