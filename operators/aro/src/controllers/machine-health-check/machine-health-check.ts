import type { OwnerReference } from "@keelson/kube";
import type { WantedObject } from "@keelson/operator-kit";

export const machineHealthCheckKey = { namespace: "openshift-machine-api", name: "aro-machinehealthcheck" };

/** Annotation that pauses the remediation of machines (machine.openshift.io/v1beta1). */
const pausedAnnotation = "cluster.x-k8s.io/paused";
const unhealthyFor = "15m";

/**
 * Returns the MachineHealthCheck for worker MachineSets. With it, the platform replaces a machine after 15 minutes without a
 * ready node. While two or more machines are unhealthy, the platform replaces no machine.
 */
export function machineHealthCheck(owner: OwnerReference, isPaused: boolean): WantedObject {
  return {
    metadata: {
      ...machineHealthCheckKey,
      ownerReferences: [owner],
      // Null removes the annotation after an upgrade.
      annotations: { [pausedAnnotation]: isPaused ? "" : null } as Record<string, string>,
    },
    spec: {
      selector: {
        matchExpressions: [
          { key: "machine.openshift.io/cluster-api-machine-role", operator: "NotIn", values: ["master"] },
          { key: "machine.openshift.io/cluster-api-machineset", operator: "Exists" },
        ],
      },
      unhealthyConditions: ["False", "Unknown"].map((status) => ({
        type: "Ready",
        status,
        timeout: unhealthyFor,
      })),
      maxUnhealthy: "1",
      nodeStartupTimeout: "25m",
    },
  };
}
