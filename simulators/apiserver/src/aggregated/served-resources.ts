import { resourcesOf } from "../custom/custom-definition.ts";
import type { KubeObject } from "../kube-object.ts";
import type { ServedResource } from "../registry/served-resource.ts";
import type { AggregatedResource, ResourceHandlers, SubresourceHandlers } from "./aggregated-resource.ts";

const anyObject = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
const codeVerbs = ["create", "delete", "get", "list", "update", "watch"] as const;
const partVerbs = ["create", "get", "update"] as const;

const never = new AbortController().signal;

/** A declared resource as the verbs and discovery know resources. */
export function servedResourcesOf(declared: AggregatedResource): readonly ServedResource[] {
  const parts = Object.entries(declared.parts ?? {});
  return resourcesOf(definitionOf(declared), { revision: 0, retired: never }).map((resource) => ({
    ...resource,
    declared,
    type: {
      ...resource.type,
      verbs: declared.code ? verbsOf(declared.code) : resource.type.verbs,
      subresources: [...resource.type.subresources, ...parts.map(([name]) => name)],
      parts: Object.fromEntries(parts.map(([name, part]) => [name, factsOf(part)])),
    },
  }));
}

/** The CustomResourceDefinition that would declare it: what OpenAPI documents are made from. */
export function definitionOf(declared: AggregatedResource): KubeObject {
  const { group, version, kind, plural, singular, shortNames = [], categories = [] } = declared;
  const { namespaced, columns = [], schema, status, scale } = declared;
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
          ...(columns.length > 0 ? { additionalPrinterColumns: columns } : {}),
        },
      ],
    },
    status: {
      acceptedNames: names,
      conditions: [{ type: "Established", status: "True" }],
    },
  };
}

function verbsOf(code: ResourceHandlers): readonly string[] {
  const own = codeVerbs.filter((verb) => code[verb]);
  return code.get && code.update ? [...own, "patch"].sort() : own;
}

function factsOf(part: SubresourceHandlers) {
  const { kind, group, version } = part;
  const own = partVerbs.filter((verb) => part[verb]);
  return {
    kind,
    ...(group === undefined ? {} : { group }),
    ...(version === undefined ? {} : { version }),
    verbs: part.get && part.update ? [...own, "patch"].sort() : own,
  };
}
