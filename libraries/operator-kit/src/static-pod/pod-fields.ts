import { listAt, valueAt } from "@keelson/base";
import { type Strip, withoutManagedFields } from "@keelson/controller";
import type { KubeObject } from "@keelson/kube";

const specMembers = ["hostname", "nodeName", "serviceAccountName"];
const containerMembers = ["args", "image", "livenessProbe", "name", "readinessProbe", "startupProbe"];

/**
 * Reduces a cached pod to the fields that static pod controllers read. Volumes and environment variables are the largest fields
 * and are dropped.
 */
export const podFields: Strip<KubeObject> = (pod) => {
  const containers = listAt(pod, "spec", "containers").map((each) => membersOf(each, containerMembers));
  return { ...withoutManagedFields(pod), spec: { ...membersOf(pod.spec, specMembers), containers } };
};

function membersOf(object: unknown, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = valueAt(object, name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
