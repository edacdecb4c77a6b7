import type { KubeObject } from "@keelson/apimachinery";

/** Priority classes of pods that are essential for a cluster or node. They cannot be deleted. */
export const systemPriorityClasses: readonly KubeObject[] = [
  systemClass(
    "system-cluster-critical",
    2_000_000_000,
    "For pods that the cluster needs, on whichever node they run.",
  ),
  systemClass("system-node-critical", 2_000_001_000, "For pods that their node needs, and that stay on it."),
];

function systemClass(name: string, value: number, description: string): KubeObject {
  return {
    apiVersion: "scheduling.k8s.io/v1",
    kind: "PriorityClass",
    metadata: { name },
    value,
    description,
    preemptionPolicy: "PreemptLowerPriority",
  };
}
