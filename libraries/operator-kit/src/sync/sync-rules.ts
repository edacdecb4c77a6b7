import type { KubeResource, ObjectKey } from "@keelson/kube";

/** A ConfigMap or Secret that is a copy of another. */
export interface SyncRule {
  /** ConfigMaps or Secrets. */
  readonly resource: KubeResource;
  readonly to: Required<ObjectKey>;
  /** The copy is deleted when there is none, and when it is not there. */
  readonly from?: Required<ObjectKey>;
}
