import type { KubeObject } from "@keelson/kube";
import type { WantedObject } from "@keelson/operator-kit";
import { contentNamespace, managedLabel, versionAnnotation } from "../resources/resources.ts";

/** Returns the desired template. */
export function wantedTemplate(sample: KubeObject, version: string): WantedObject {
  const { apiVersion: _, kind: __, metadata, ...rest } = sample;
  return {
    ...rest,
    metadata: {
      name: metadata.name,
      namespace: contentNamespace,
      labels: { ...metadata.labels, [managedLabel]: "true" },
      annotations: { ...metadata.annotations, [versionAnnotation]: version },
    },
  };
}
