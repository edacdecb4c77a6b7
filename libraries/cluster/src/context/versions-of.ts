import type { KubeObject } from "@keelson/kube";

/** Returns a progress token for a condition. It consists of the names and resource versions of the observed objects. */
export function versionsOf(objects: readonly (KubeObject | undefined)[]): string {
  return objects
    .map((object) => `${object?.metadata.name} ${object?.metadata.uid} ${object?.metadata.resourceVersion}`)
    .sort()
    .join("\n");
}
