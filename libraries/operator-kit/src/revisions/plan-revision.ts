import { isDeepStrictEqual } from "node:util";
import { stringAt } from "@keelson/base";
import { type KubeObject, type KubeResource, resources } from "@keelson/kube";
import { dataOf } from "../objects/object-data.ts";
import { type RevisionedSource, revisionName, type SourceLists } from "../static-pod/static-pod.ts";

export const readyAnnotation = "operator.openshift.io/revision-ready";
export const statusName = "revision-status";

export type FindSource = (resource: KubeResource, name: string) => KubeObject | undefined;

export type RevisionPlan =
  | { readonly kind: "upToDate" }
  /** The configuration differs from the latest revision. `reason` describes the change. */
  | { readonly kind: "changed"; readonly reason: string }
  /** A required source is missing. */
  | { readonly kind: "incomplete"; readonly missing: string };

/** Returns the number of the highest complete revision, or 0 if no revision is complete. */
export function latestReady(configMaps: readonly KubeObject[]): number {
  return Math.max(0, ...configMaps.filter(isReady).map(({ metadata: { name } }) => numberOf(name)));
}

export function isReady({ metadata }: KubeObject): boolean {
  return metadata.annotations?.[readyAnnotation] === "true" && numberOf(metadata.name) > 0;
}

/** Returns the revision number in a name of the form `revision-status-N`. 0 for any other name. */
export function numberOf(name: string): number {
  const [, digits] = /^revision-status-([1-9]\d{0,8})$/.exec(name) ?? [];
  return digits === undefined ? 0 : Number(digits);
}

/** Compares the data of every source with its copy in the latest revision. Metadata is ignored. */
export function planRevision(sources: SourceLists, latest: number, find: FindSource): RevisionPlan {
  const changes: string[] = [];
  let missingCopy: string | undefined;
  // Missing ConfigMaps are reported before missing Secrets, because a missing ConfigMap explains the problem better. In reasons
  // for a new revision, Secrets come first.
  const kinds = [
    { resource: resources.configMaps, kind: "configmap", each: sources.configMaps },
    { resource: resources.secrets, kind: "secret", each: sources.secrets },
  ];
  for (const { resource, kind, each } of kinds) {
    const found: string[] = [];
    for (const { name, optional = false } of each) {
      const source = find(resource, name);
      if (!source && !optional) return { kind: "incomplete", missing: `${kind} "${name}" not found` };
      const copyName = revisionName(name, latest);
      const copy = find(resource, copyName);
      if (!copy && !optional) missingCopy ??= `${kind} "${copyName}" not found`;
      if (isDeepStrictEqual(dataOf(source), dataOf(copy))) continue;
      const verb = copy ? "has changed" : "has been created";
      found.push(`${optional ? "optional" : "required"} ${kind}/${name} ${verb}`);
    }
    changes.unshift(...found);
  }
  if (missingCopy !== undefined) return { kind: "changed", reason: missingCopy };
  return changes.length === 0 ? { kind: "upToDate" } : { kind: "changed", reason: changes.join(",") };
}

/** Returns the copy of a source for a revision. A service account token is copied with its current value. */
export function copyInRevision(
  source: KubeObject,
  { name }: RevisionedSource,
  revision: number,
  namespace: string,
  status: KubeObject,
) {
  const { apiVersion, kind, metadata } = status;
  const owner = { apiVersion, kind, name: metadata.name, uid: metadata.uid ?? "" };
  const type = stringAt(source, "type");
  return {
    metadata: { namespace, name: revisionName(name, revision), ownerReferences: [owner] },
    ...(type === undefined ? {} : { type: type === "kubernetes.io/service-account-token" ? "Opaque" : type }),
    data: dataOf(source) as Readonly<Record<string, string>>,
  };
}
