import type { KubeObject, KubeResource } from "@keelson/kube";
import { imageStreamImports, imageStreams, templates } from "../resources/resources.ts";

/** CustomResourceDefinitions that replace the image and template APIs. They store objects but import nothing. */
export const imageAndTemplateCrds: readonly KubeObject[] = [imageStreams, imageStreamImports, templates].map(
  standIn,
);

function standIn({ group, version, kind, plural }: KubeResource): KubeObject {
  const openAPIV3Schema = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: {
      name: `${plural}.${group}`,
      annotations: { "api-approved.kubernetes.io": "unapproved, stands in for an aggregated API" },
    },
    spec: {
      group,
      scope: "Namespaced",
      names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
      versions: [{ name: version, served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  };
}
