import type { KubeObject } from "@keelson/apiserver";
import { listAt, objectAt, stringAt } from "@keelson/base";
import { stringMapAt } from "../base/fields.ts";
import { stripSchema } from "./strip-prose.ts";

export const featureSetAnnotation = "release.openshift.io/feature-set";
/** Annotation of manifests for clusters with a self-managed, highly available control plane. */
const profile = "include.release.openshift.io/self-managed-high-availability";
const proseAnnotations = new Set(["description", "displayName"]);

/**
 * Returns a release's CustomResourceDefinition without descriptions. `undefined` for other manifests and other cluster profiles.
 */
export function crdManifestOf(manifest: unknown): KubeObject | undefined {
  if (stringAt(manifest, "kind") !== "CustomResourceDefinition") return undefined;
  const annotations = stringMapAt(manifest, "metadata", "annotations");
  const name = stringAt(manifest, "metadata", "name");
  if (name === undefined || annotations[profile] !== "true") return undefined;
  const labels = stringMapAt(manifest, "metadata", "labels");
  const kept = Object.entries(annotations).filter(([key]) => !proseAnnotations.has(key));
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: {
      name,
      annotations: Object.fromEntries(kept),
      ...(Object.keys(labels).length > 0 ? { labels } : {}),
    },
    spec: { ...objectAt(manifest, "spec"), versions: listAt(manifest, "spec", "versions").map(stripVersion) },
  };
}

function stripVersion(version: unknown): Record<string, unknown> {
  const record = objectAt(version);
  const { schema, additionalPrinterColumns } = record;
  return {
    ...record,
    ...(additionalPrinterColumns === undefined
      ? {}
      : {
          additionalPrinterColumns: listAt(version, "additionalPrinterColumns").map((column) => {
            const { description: _, ...facts } = objectAt(column);
            return facts;
          }),
        }),
    ...(schema === undefined
      ? {}
      : { schema: { openAPIV3Schema: stripSchema(objectAt(schema).openAPIV3Schema) } }),
  };
}

/** Returns the feature sets of a manifest. Default: all. */
export function featureSetsOf(manifest: KubeObject): readonly string[] | "all" {
  const named = manifest.metadata.annotations?.[featureSetAnnotation];
  return named === undefined ? "all" : named.split(",");
}
