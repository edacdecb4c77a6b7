import { objectAt, valueAt } from "@keelson/base";
import type { KubeObject } from "@keelson/kube";
import type { WantedObject } from "@keelson/operator-kit";
import { importErrorLabel } from "../resources/resources.ts";
import type { FailingTags } from "./failing-tags.ts";

/**
 * Returns the ConfigMap for an imagestream with failing imports. The ConfigMap contains the registry's error message for each
 * failing tag.
 */
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

/** True if a ConfigMap reports failed imports. The operator does not change any other ConfigMap. */
export function isFailureConfigMap({ metadata }: KubeObject): boolean {
  return metadata.labels?.[importErrorLabel] === "true";
}

/**
 * True if a ConfigMap with an imagestream's name belongs to a different owner. An empty ConfigMap does not count as foreign,
 * because OpenShift's Go operator leaves empty ConfigMaps.
 */
export function isForeign(configMap: KubeObject | undefined): boolean {
  if (!configMap || isFailureConfigMap(configMap)) return false;
  return (
    Object.keys(objectAt(configMap, "data")).length > 0 || valueAt(configMap, "binaryData") !== undefined
  );
}
