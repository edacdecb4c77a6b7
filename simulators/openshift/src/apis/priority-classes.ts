import type { KubeObject } from "@keelson/apiserver";

/** Priority classes that OpenShift adds to Kubernetes. `oc debug node/NAME` creates pods of this class. */
export const priorityClasses: readonly KubeObject[] = [
  {
    apiVersion: "scheduling.k8s.io/v1",
    kind: "PriorityClass",
    metadata: { name: "openshift-user-critical" },
    value: 1_000_000_000,
    globalDefault: false,
    description:
      "For important user workloads. Pods of this class can be preempted by pods that are essential for the cluster.",
    preemptionPolicy: "PreemptLowerPriority",
  },
];
