import type { OwnerReference } from "@keelson/kube";
import type { WantedObject } from "@keelson/operator-kit";

export const machineHealthCheckKey = { namespace: "openshift-machine-api", name: "aro-machinehealthcheck" };

/** While it is set, the platform replaces nothing (machine.openshift.io/v1beta1). */
const pausedAnnotation = "cluster.x-k8s.io/paused";
const unhealthyFor = "15m";

/** Machines of worker sets whose node is not ready for 15 minutes are replaced, one at a time: two at once are not. */
export function machineHealthCheck(owner: OwnerReference, isPaused: boolean): WantedObject {
  return {
    metadata: {
      ...machineHealthCheckKey,
      ownerReferences: [owner],
      // As a merge patch has it, null takes away what an upgrade left.
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
