import { objectAt, valueAt } from "@keelson/base";
import type { KubeObject } from "@keelson/kube";
import type { WantedObject } from "@keelson/operator-kit";
import { importErrorLabel } from "../resources/resources.ts";
import type { FailingTags } from "./failing-tags.ts";

/** The ConfigMap of an imagestream whose imports fail: a key a tag, with what the registry said. */
export function failureConfigMap(
  stream: string,
  namespace: string,
  failing: FailingTags,
  live: KubeObject | undefined,
): WantedObject {
  const recovered = Object.keys(objectAt(live, "data")).map((tag) => [tag, null] as const);
  return {
    metadata: { name: stream, namespace, labels: { [importErrorLabel]: "true" } },
    data: { ...Object.fromEntries(recovered), ...Object.fromEntries(failing) },
  };
}

/** Whether a ConfigMap says that imports fail. All others of the namespace are not the operator's to touch. */
export function isFailureConfigMap({ metadata }: KubeObject): boolean {
  return metadata.labels?.[importErrorLabel] === "true";
}

/** Whether a ConfigMap that has an imagestream's name is another's. The original leaves empty ones. */
export function isForeign(configMap: KubeObject | undefined): boolean {
  if (!configMap || isFailureConfigMap(configMap)) return false;
  return (
    Object.keys(objectAt(configMap, "data")).length > 0 || valueAt(configMap, "binaryData") !== undefined
  );
}
