import { listAt, stringAt, valueAt } from "@keelson/base";
import type { KubeObject } from "@keelson/kube";

const mirrorAnnotation = "kubernetes.io/config.mirror";

/**
 * The pods of a node that a drain deletes: all but static pods and those of DaemonSets, which would come back. Those
 * that hold local data or have no controller go too: the cluster's update is worth more.
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
