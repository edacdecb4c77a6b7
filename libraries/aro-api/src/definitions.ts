import { isPlainObject } from "@keelson/base";
import { apiVersionOf, type KubeObject, type KubeResource, resources } from "@keelson/kube";
import type { TSchema } from "typebox";
import { clusterSpec, clusterStatus } from "./cluster-schema.ts";
import { previewFeatureSpec, previewFeatureStatus } from "./preview-feature-schema.ts";

/** The operator's CustomResourceDefinitions, without all of which it does not start. */
export const aroDefinitions: readonly KubeObject[] = [
  definition(resources.aroClusters, clusterSpec, clusterStatus),
  definition(resources.previewFeatures, previewFeatureSpec, previewFeatureStatus),
];

function definition(of: KubeResource, spec: TSchema, status: TSchema): KubeObject {
  const { group, version, kind, plural } = of;
  return {
    apiVersion: apiVersionOf(resources.customResourceDefinitions),
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
      scope: "Cluster",
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: {
            openAPIV3Schema: {
              type: "object",
              properties: {
                apiVersion: { type: "string" },
                kind: { type: "string" },
                metadata: { type: "object" },
                spec: structural(spec),
                status: structural(status),
              },
            },
          },
        },
      ],
    },
  };
}

/** As API servers return it: a record is `additionalProperties`; an empty list of members and the type builder's marks go. */
function structural(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(structural);
  if (!isPlainObject(schema)) return schema;
  const { patternProperties, ...rest } = schema;
  const kept = Object.entries(rest).filter(
    ([, value]) => !isPlainObject(value) || Object.keys(value).length > 0,
  );
  const result = Object.fromEntries(kept.map(([name, value]) => [name, structural(value)]));
  if (!isPlainObject(patternProperties)) return result;
  return { ...result, additionalProperties: structural(Object.values(patternProperties)[0]) };
}
