import { listAt, stringAt, valueAt } from "@keelson/base";
import type { KubeObject } from "@keelson/kube";

const mirrorAnnotation = "kubernetes.io/config.mirror";

/**
 * Returns the pods of a node that a drain must delete. Static pods and pods of DaemonSets are excluded, because they would be
 * recreated. Pods with local data or without a controller are included, because the cluster update has priority.
 */
export function podsToDelete(pods: readonly KubeObject[]): readonly KubeObject[] {
  return pods.filter((pod) => {
    if (pod.metadata.annotations?.[mirrorAnnotation] !== undefined) return false;
    const owners = listAt(pod, "metadata", "ownerReferences");
    return !owners.some(
      (owner) => valueAt(owner, "controller") === true && stringAt(owner, "kind") === "DaemonSet",
    );
  });
}
