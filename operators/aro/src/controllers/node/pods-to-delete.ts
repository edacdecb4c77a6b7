import { listAt, stringAt, valueAt } from "@keelson/base";
import type { KubeObject } from "@keelson/kube";

const mirrorAnnotation = "kubernetes.io/config.mirror";

/**
 * Pods of a node that a drain deletes: all except static pods and pods of DaemonSets, which would be
 * recreated. Pods with local data or without a controller are deleted too, because the cluster's update has
 * priority.
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
