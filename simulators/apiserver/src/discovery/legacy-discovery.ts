import { createHash } from "node:crypto";
import { comparePriority, subresourceOf } from "@keelson/apimachinery";
import { apiVersionOf, parseApiVersion, type ServedResource } from "../resources/served-resource.ts";

interface GroupVersion {
  readonly groupVersion: string;
  readonly version: string;
}

/** Returns the response to `GET /api`. */
export function apiVersions(): object {
  return { kind: "APIVersions", versions: ["v1"], serverAddressByClientCIDRs: [] };
}

/** Returns the response to `GET /apis`. */
export function apiGroupList(resources: readonly ServedResource[]): object {
  const groups = groupsOf(resources).map(([name, versions]) => groupOf(name, versions));
  return { kind: "APIGroupList", apiVersion: "v1", groups };
}

/** Returns the response to `GET /apis/{group}`, or undefined for an unknown group. */
export function apiGroup(resources: readonly ServedResource[], name: string): object | undefined {
  const found = groupsOf(resources).find(([each]) => each === name);
  return found ? { kind: "APIGroup", apiVersion: "v1", ...groupOf(...found) } : undefined;
}

/** Returns the response to `GET /api/v1` or `GET /apis/{group}/{version}`, or undefined for an unknown version. */
export function apiResourceList(
  resources: readonly ServedResource[],
  group: string,
  version: string,
): object | undefined {
  const found = resourcesIn(resources, group, version);
  if (found.length === 0) return undefined;
  return {
    kind: "APIResourceList",
    // The core group's list has no `apiVersion`, as in kube-apiserver.
    ...(group ? { apiVersion: "v1" } : {}),
    groupVersion: apiVersionOf({ group, version }),
    resources: found.flatMap(apiResources),
  };
}

/**
 * Returns the resources of an API version, sorted by name as in kube-apiserver. If two resources have the same kind, clients use
 * the resource that is later in the list (`templates` instead of `processedtemplates`).
 */
export function resourcesIn(
  resources: readonly ServedResource[],
  group: string,
  version: string,
): readonly ServedResource[] {
  return resources
    .filter(({ type }) => type.group === group && type.version === version)
    .toSorted((a, b) => (a.type.plural < b.type.plural ? -1 : 1));
}

/** Groups by priority, as in kube-apiserver's aggregator. Other groups follow in alphabetical order. */
const groupOrder: readonly string[] = [
  "apiregistration.k8s.io",
  "apps",
  "events.k8s.io",
  "authentication.k8s.io",
  "authorization.k8s.io",
  "autoscaling",
  "batch",
  "certificates.k8s.io",
  "networking.k8s.io",
  "policy",
  "rbac.authorization.k8s.io",
  "storage.k8s.io",
  "admissionregistration.k8s.io",
  "apiextensions.k8s.io",
  "scheduling.k8s.io",
  "coordination.k8s.io",
  "node.k8s.io",
  "discovery.k8s.io",
  "flowcontrol.apiserver.k8s.io",
];

/** Returns the groups except the core group, in the order that clients prefer. Versions are sorted by priority. */
export function groupsOf(
  resources: readonly ServedResource[],
): readonly (readonly [string, readonly GroupVersion[]])[] {
  const versions = new Map<string, Set<string>>();
  const declared = new Set(resources.filter((each) => each.aggregated).map(({ type }) => type.group));
  for (const { type } of resources) {
    if (!type.group) continue;
    const known = versions.get(type.group) ?? new Set();
    versions.set(type.group, known.add(type.version));
  }
  const rank = (group: string) => {
    const at = groupOrder.indexOf(group);
    if (at >= 0) return at;
    // Resources that the cluster's owner declares belong to aggregated groups. Aggregated groups precede custom groups.
    return declared.has(group) ? groupOrder.length : groupOrder.length + 1;
  };
  const sorted = [...versions].sort(([a], [b]) => rank(a) - rank(b) || (a < b ? -1 : 1));
  return sorted.map(([group, found]) => [
    group,
    [...found]
      .sort(comparePriority)
      .map((version) => ({ groupVersion: apiVersionOf({ group, version }), version })),
  ]);
}

function groupOf(name: string, versions: readonly GroupVersion[]): object {
  return { name, versions, preferredVersion: versions[0] };
}

/** Returns the hash of the storage version and kind, as in kube-apiserver. */
function storageVersionHash(storageApiVersion: string, kind: string): string {
  const { group, version } = parseApiVersion(storageApiVersion);
  return createHash("sha256")
    .update(`${group}/${version}/${kind}`)
    .digest()
    .subarray(0, 8)
    .toString("base64");
}

function apiResources({ type, storageApiVersion }: ServedResource): readonly object[] {
  const { plural, singular, namespaced, kind, verbs, shortNames, categories } = type;
  const main = {
    name: plural,
    singularName: singular,
    namespaced,
    kind,
    verbs,
    ...(shortNames.length > 0 ? { shortNames } : {}),
    ...(categories.length > 0 ? { categories } : {}),
    ...(verbs.includes("list") ? { storageVersionHash: storageVersionHash(storageApiVersion, kind) } : {}),
  };
  const parts = type.subresources.map((name) => {
    const { kind: partKind, group, version, verbs: partVerbs } = subresourceOf(type, name);
    return {
      name: `${plural}/${name}`,
      singularName: "",
      namespaced,
      ...(version === undefined ? {} : { group: group ?? "", version }),
      kind: partKind,
      verbs: partVerbs,
    };
  });
  return [main, ...parts];
}
