import { isPlainObject } from "@keelson/base";
import type { KubeObject } from "./kube-object.ts";
import { apiVersionOf, type KubeResource, resources } from "./kube-resource.ts";

/** JSON Schemas of a resource's `spec` and `status`, as created by TypeBox. */
export interface DefinitionSchemas {
  readonly spec: unknown;
  readonly status: unknown;
  /** Required fields of every object. */
  readonly required?: readonly ("metadata" | "spec" | "status")[];
  /** kubectl categories that include this kind, such as `coreoperators`. */
  readonly categories?: readonly string[];
}

/** Returns the CustomResourceDefinition of a resource. The definition has one version and a status subresource. */
export function customResourceDefinition(
  of: KubeResource,
  { spec, status, required, categories }: DefinitionSchemas,
): KubeObject {
  const { group, version, kind, plural, namespaced } = of;
  return {
    apiVersion: apiVersionOf(resources.customResourceDefinitions),
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      names: {
        kind,
        plural,
        singular: kind.toLowerCase(),
        listKind: `${kind}List`,
        ...(categories ? { categories } : {}),
      },
      scope: namespaced ? "Namespaced" : "Cluster",
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: {
            openAPIV3Schema: {
              type: "object",
              ...(required ? { required } : {}),
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

/**
 * Converts a schema to the form that API servers return. `patternProperties` become `additionalProperties`. Empty objects and
 * internal marks of TypeBox are removed.
 */
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
