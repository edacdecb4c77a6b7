import type { KubeObject } from "@keelson/kube";

/**
 * Returns the names, UIDs and resource versions of the observed objects as a progress token. When the token changes, the waiting
 * step's time limit starts again.
 */
export function versionsOf(objects: readonly (KubeObject | undefined)[]): string {
  return objects
    .map((object) => `${object?.metadata.name} ${object?.metadata.uid} ${object?.metadata.resourceVersion}`)
    .sort()
    .join("\n");
}
