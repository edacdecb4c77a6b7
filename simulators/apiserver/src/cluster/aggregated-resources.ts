import type { KubeObject } from "@keelson/apimachinery";
import { resourcesOf } from "../definitions/custom-definition.ts";
import type {
  AggregatedResource,
  ResourceHandlers,
  SubresourceHandlers,
} from "../resources/aggregated-resource.ts";
import type { ServedResource } from "../resources/served-resource.ts";

const anyObject = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
const resourceVerbs = ["create", "delete", "get", "list", "update", "watch"] as const;
const subresourceVerbs = ["create", "get", "update"] as const;

const never = new AbortController().signal;

/** Converts an aggregated resource to the served resources that the verbs and discovery use. */
export function servedResourcesOf(aggregated: AggregatedResource): readonly ServedResource[] {
  const subresources = Object.entries(aggregated.subresources ?? {});
  return resourcesOf(definitionOf(aggregated), { revision: 0, retired: never }).map((resource) => ({
    ...resource,
    aggregated,
    type: {
      ...resource.type,
      columns: resource.type.columns.map((column, index) => ({ ...column, ...aggregated.columns?.[index] })),
      verbs: aggregated.handlers ? verbsOf(aggregated.handlers) : resource.type.verbs,
      subresources: [...resource.type.subresources, ...subresources.map(([name]) => name)],
      ownSubresources: Object.fromEntries(subresources.map(([name, handlers]) => [name, factsOf(handlers)])),
    },
  }));
}

/** Returns an equivalent CustomResourceDefinition, used to generate OpenAPI documents. */
export function publishedDefinitionOf(aggregated: AggregatedResource): KubeObject {
  const { publishedSchema } = aggregated;
  return definitionOf(publishedSchema ? { ...aggregated, schema: publishedSchema } : aggregated);
}

function definitionOf(aggregated: AggregatedResource): KubeObject {
  const { group, version, kind, plural, singular, shortNames = [], categories = [] } = aggregated;
  const { namespaced, columns = [], schema, status, scale } = aggregated;
  const names = {
    kind,
    plural,
    singular: singular ?? kind.toLowerCase(),
    listKind: `${kind}List`,
    shortNames,
    categories,
  };
  const paths = { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas", ...scale };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: namespaced ? "Namespaced" : "Cluster",
      names,
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          schema: { openAPIV3Schema: schema ?? anyObject },
          subresources: { ...(status ? { status: {} } : {}), ...(scale ? { scale: paths } : {}) },
          ...(columns.length > 0
            ? { additionalPrinterColumns: columns.map(({ cell: _, ...column }) => column) }
            : {}),
        },
      ],
    },
    status: {
      acceptedNames: names,
      conditions: [{ type: "Established", status: "True" }],
    },
  };
}

function verbsOf(handlers: ResourceHandlers): readonly string[] {
  const own = resourceVerbs.filter((verb) => handlers[verb]);
  return handlers.get && handlers.update ? [...own, "patch"].sort() : own;
}

function factsOf(handlers: SubresourceHandlers) {
  const { kind, group, version, podLog, upload } = handlers;
  const special = { get: podLog, create: upload, update: undefined };
  const own = subresourceVerbs.filter((verb) => handlers[verb] ?? special[verb]);
  return {
    kind,
    ...(group === undefined ? {} : { group }),
    ...(version === undefined ? {} : { version }),
    verbs: handlers.get && handlers.update ? [...own, "patch"].sort() : own,
  };
}
