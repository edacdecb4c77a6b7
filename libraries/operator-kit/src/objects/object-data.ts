import { objectAt } from "@keelson/base";
import type { KubeObject } from "@keelson/kube";

/** Returns the `data` of a ConfigMap or Secret. Returns an empty object if it has no data. */
export function dataOf(object: KubeObject | undefined): Readonly<Record<string, unknown>> {
  return objectAt(object, "data");
}
