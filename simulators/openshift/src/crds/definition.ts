import type { KubeObject } from "@keelson/apiserver";
import type { CrdFacts } from "./facts.ts";

const anyObject = { type: "object", "x-kubernetes-preserve-unknown-fields": true };

const approval = "https://github.com/kubernetes/enhancements/pull/1111";

/** Returns the CustomResourceDefinition (apiextensions.k8s.io/v1) of a kind. Its schema accepts any field. */
export function crdOf(facts: CrdFacts): KubeObject {
  const { group, version, kind, plural, shortNames, categories } = facts;
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: {
      name: `${plural}.${group}`,
      // The API server requires an approval annotation in Kubernetes community groups.
      ...(group.endsWith(".k8s.io") ? { annotations: { "api-approved.kubernetes.io": approval } } : {}),
    },
    spec: {
      group,
      scope: facts.scope,
      names: {
        kind,
        plural,
        singular: kind.toLowerCase(),
        listKind: `${kind}List`,
        ...(shortNames.length > 0 ? { shortNames } : {}),
        ...(categories.length > 0 ? { categories } : {}),
      },
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { ...anyObject, properties: { spec: anyObject, status: anyObject } } },
          ...subresourcesOf(facts),
          ...(facts.columns.length > 0 ? { additionalPrinterColumns: facts.columns } : {}),
        },
      ],
    },
  };
}

function subresourcesOf({ status, scale }: CrdFacts): Record<string, unknown> {
  if (!status) return {};
  const paths = { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas", ...scale };
  return { subresources: { status: {}, ...(scale ? { scale: paths } : {}) } };
}
