import { createHash } from "node:crypto";
import { listAt, objectAt, stringAt } from "@keelson/base";
import type { KubeObject } from "@keelson/kube";
import type { Manifest } from "./manifest.ts";

/** Kinds that must be created before the other objects of a batch, because those objects or their pods depend on them. */
const first = [
  "CustomResourceDefinition",
  "ClusterRole",
  "ClusterRoleBinding",
  "SecurityContextConstraints",
  "Namespace",
  "ConfigMap",
  "Secret",
  "ServiceAccount",
];

const workloads = ["DaemonSet", "Deployment", "StatefulSet"];

/**
 * Sorts a batch into creation order. Adds hashes of mounted ConfigMaps and Secrets to the pods of the batch, so that a changed
 * ConfigMap or Secret triggers a rollout (Azure/ARO-RP pkg/util/dynamichelper).
 */
export function inCreationOrder(manifests: readonly Manifest[]): readonly Manifest[] {
  const place = ({ object }: Manifest) => {
    const index = first.indexOf(object.kind);
    return index < 0 ? first.length : index;
  };
  return manifests
    .map((each) => (workloads.includes(each.object.kind) ? withHashes(each, manifests) : each))
    .toSorted((a, b) => place(a) - place(b));
}

function withHashes({ resource, object }: Manifest, batch: readonly Manifest[]): Manifest {
  const { namespace } = object.metadata;
  const annotations: Record<string, string> = {};
  for (const volume of listAt(object, "spec", "template", "spec", "volumes")) {
    for (const [kind, name] of [
      ["ConfigMap", stringAt(volume, "configMap", "name")],
      ["Secret", stringAt(volume, "secret", "secretName")],
    ] as const) {
      const source = batch.find(
        (each) =>
          each.object.kind === kind &&
          each.object.metadata.name === name &&
          each.object.metadata.namespace === namespace,
      );
      if (source) annotations[`checksum/${kind.toLowerCase()}-${name}`] = contentHash(source.object);
    }
  }
  if (Object.keys(annotations).length === 0) return { resource, object };
  const template = objectAt(object, "spec", "template");
  const metadata = objectAt(template, "metadata");
  return {
    resource,
    object: {
      ...object,
      spec: {
        ...objectAt(object, "spec"),
        template: {
          ...template,
          metadata: { ...metadata, annotations: { ...objectAt(metadata, "annotations"), ...annotations } },
        },
      },
    },
  };
}

function contentHash(object: KubeObject): string {
  const content = { ...objectAt(object, "data"), ...objectAt(object, "stringData") };
  const lines = Object.keys(content)
    .toSorted()
    .map((key) => `${key}: ${content[key]}\n`);
  return createHash("sha256").update(lines.join("")).digest("hex");
}
