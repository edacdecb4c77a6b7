import { objectAt } from "@keelson/base";
import type { KubeObject } from "@keelson/kube";

/** The `data` of a ConfigMap or Secret; empty where it has none. */
export function dataOf(object: KubeObject | undefined): Readonly<Record<string, unknown>> {
  return objectAt(object, "data");
}
