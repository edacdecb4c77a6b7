import type { KubeObject } from "@keelson/kube";

/** Progress token of a condition: names and resource versions of the objects that it waits for. */
export function versionsOf(objects: readonly (KubeObject | undefined)[]): string {
  return objects
    .map((object) => `${object?.metadata.name} ${object?.metadata.uid} ${object?.metadata.resourceVersion}`)
    .sort()
    .join("\n");
}
