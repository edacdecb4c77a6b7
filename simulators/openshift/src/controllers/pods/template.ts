import { createHash } from "node:crypto";
import type { KubeObject } from "@keelson/apiserver";
import { exactJson, objectAt } from "@keelson/base";
import { controllerReference } from "@keelson/controller";
import { stringMapAt } from "../../base/fields.ts";
import { randomSuffix } from "../../base/names.ts";

/** Returns a Pod from the workload's `spec.template` with an owner reference. Merges `labels` and `spec` into the template. */
export function podFromTemplate(
  owner: KubeObject,
  labels: Readonly<Record<string, string>> = {},
  spec: Readonly<Record<string, unknown>> = {},
  podName?: string,
): KubeObject {
  const { name, namespace } = owner.metadata;
  const template = objectAt(owner, "spec", "template");
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      ...(podName === undefined ? generatedName(name) : { name: podName }),
      ...(namespace === undefined ? {} : { namespace }),
      labels: { ...stringMapAt(template, "metadata", "labels"), ...labels },
      annotations: stringMapAt(template, "metadata", "annotations"),
      ownerReferences: [controllerReference(owner)],
    },
    spec: { ...objectAt(template, "spec"), ...spec },
  };
}

/** Returns a generated name with its prefix, as in pods that Kubernetes' controllers create. */
function generatedName(owner: string): { readonly name: string; readonly generateName: string } {
  const generateName = `${owner.slice(0, 57)}-`;
  return { name: `${generateName}${randomSuffix()}`, generateName };
}

/** Hashes by owner. Cached objects are immutable, and controllers need the hash in every reconciliation. */
const hashes = new WeakMap<KubeObject, string>();

/** Returns a ten-character hash of a template. It identifies a revision and is valid in names and labels. */
export function templateHash(owner: KubeObject): string {
  const known = hashes.get(owner);
  if (known !== undefined) return known;
  const text = exactJson(sorted(objectAt(owner, "spec", "template")));
  const hash = createHash("sha256").update(text).digest("hex").slice(0, 10);
  hashes.set(owner, hash);
  return hash;
}

/** Sorts the properties of a value, so that equal templates have equal hashes. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, sorted(member)]),
  );
}
