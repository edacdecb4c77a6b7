import { conditionOf, type KubeClient, listAt, objectFields, resources, textAt } from "@keelson/kube";
import type { ClusterOperators } from "@keelson/portal-api";

const fields = objectFields({
  status: {
    conditions: { type: true, status: true, reason: true, message: true, lastTransitionTime: true },
  },
});

/** What the cluster's operators say of themselves. */
export async function readClusterOperators(kube: KubeClient, signal: AbortSignal): Promise<ClusterOperators> {
  const { items } = await kube.list(resources.clusterOperators, { fields }, signal);
  const stateOf = (operator: unknown, type: string) => conditionOf(operator, type) ?? "Unknown";
  return {
    operators: items.map((operator) => ({
      name: operator.metadata.name ?? "",
      available: stateOf(operator, "Available"),
      progressing: stateOf(operator, "Progressing"),
      degraded: stateOf(operator, "Degraded"),
      conditions: listAt(operator, "status", "conditions").map((condition) => ({
        type: textAt(condition, "type") ?? "",
        status: textAt(condition, "status") ?? "",
        reason: textAt(condition, "reason") ?? "",
        message: textAt(condition, "message") ?? "",
        lastUpdated: textAt(condition, "lastTransitionTime") ?? "",
      })),
    })),
  };
}
