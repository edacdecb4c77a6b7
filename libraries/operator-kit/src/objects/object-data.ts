import { isPlainObject, valueAt } from "@keelson/base";
import type { KubeObject } from "@keelson/kube";

/** The `data` of a ConfigMap or Secret; empty where it has none. */
export function dataOf(object: KubeObject | undefined): Readonly<Record<string, unknown>> {
  const data = valueAt(object, "data");
  return isPlainObject(data) ? data : {};
}
