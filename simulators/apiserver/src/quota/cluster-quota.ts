import {
  formatResourceList,
  type KubeObject,
  type ResourceList,
  resourceListAt,
  sameJson,
  scalarStringAt,
  sharedTurns,
  sumOf,
} from "@keelson/apimachinery";
import { listAt, objectAt } from "@keelson/base";
import type { RegistryContext } from "../resources/registry-context.ts";
import type { StoredObject } from "../storage/stored-object.ts";
import { ClusterQuotaIndex, namespaceBucket } from "./cluster-quota-index.ts";
import { withGrowth } from "./growth.ts";
import { countedObjects, usedOf } from "./usage.ts";

/**
 * Maximum size in bytes of the usage per namespace in a quota's status. The size is limited, because each write in a selected
 * namespace stores the status.
 */
const maxListBytes = 16_384;

interface Usage {
  readonly hard: object;
  readonly used: Readonly<Record<string, string>>;
}

interface NamespaceUsage {
  readonly namespace: string;
  readonly status: Usage;
}

/** Status of a ClusterResourceQuota. */
export interface ClusterQuotaStatus {
  readonly total: Usage;
  readonly namespaces: readonly NamespaceUsage[];
}

/** Returns the quota and the total usage of a ClusterResourceQuota in the form of a ResourceQuota. */
export function totalOf(quota: KubeObject): KubeObject {
  return { ...quota, spec: objectAt(quota, "spec", "quota"), status: objectAt(quota, "status", "total") };
}

/** Returns the quota with its new limits. See `statusOfNewLimits`. */
export function withNewLimits(quota: KubeObject): KubeObject {
  return { ...quota, status: { ...objectAt(quota, "status"), total: statusOfNewLimits(totalOf(quota)) } };
}

/**
 * Returns the status of a quota with its new limits and without a usage of resources that it did not limit before. Until the usage is
 * computed, creations of such resources are refused. Otherwise objects that are created during the computation would not be counted.
 */
export function statusOfNewLimits(quota: KubeObject): object {
  const hard = objectAt(quota, "spec", "hard");
  const { used } = objectAt(quota, "status");
  const kept = Object.entries(objectAt(used)).filter(([name]) => Object.hasOwn(hard, name));
  return used === undefined ? { hard } : { hard, used: Object.fromEntries(kept) };
}

/**
 * Computes the status of a ClusterResourceQuota from the current objects in the selected namespaces. Other work of the process runs
 * during the computation. Returns undefined if the store no longer has the state of the beginning.
 */
export async function clusterQuotaStatus(
  context: RegistryContext,
  stored: StoredObject,
): Promise<ClusterQuotaStatus | undefined> {
  const { store } = context;
  const revision = store.newest;
  const { key, object: quota } = stored;
  const hard = objectAt(quota, "spec", "quota", "hard");
  const index = ClusterQuotaIndex.of(store);
  const listed: NamespaceUsage[] = [];
  let listedBytes = 0;
  let total: ResourceList = resourceListAt({});
  for (const owner of store.range(namespaceBucket, "")) {
    await sharedTurns.wait(store);
    if (store.compacted > revision) return undefined;
    if (!index.matching(owner).includes(key)) continue;
    const namespace = owner.key;
    const own = { ...totalOf(quota), status: objectAt(entryOf(quota, namespace), "status") };
    const counted = countedObjects(context, { ...own, metadata: { ...own.metadata, namespace } }, revision);
    const used = await usedOf(context, counted);
    total = sumOf(total, resourceListAt(used));
    const entry = { namespace, status: { hard, used } };
    listedBytes += JSON.stringify(entry).length;
    if (listedBytes <= maxListBytes) listed.push(entry);
  }
  return { total: { hard, used: formatResourceList(total) }, namespaces: listed };
}

/**
 * Returns the quota with the status that was computed from its state `before`. Adds the usage of later writes. Returns undefined if the
 * limits have changed, or if a later write has added usage that the quota does not list by namespace.
 */
export function withComputedStatus(
  quota: KubeObject,
  before: KubeObject,
  computed: ClusterQuotaStatus,
): KubeObject | undefined {
  if (quota.metadata.resourceVersion === before.metadata.resourceVersion)
    return { ...quota, status: computed };
  if (!sameJson(objectAt(quota, "spec", "quota", "hard"), computed.total.hard)) return undefined;
  const added = (usage: Usage, earlier: unknown, later: unknown): Usage => ({
    hard: usage.hard,
    used: withGrowth(usage.used, earlier, later),
  });
  const namespaces: NamespaceUsage[] = [];
  for (const { namespace, status } of computed.namespaces) {
    const [earlier, later] = [entryOf(before, namespace), entryOf(quota, namespace)];
    if (earlier === undefined) return undefined;
    namespaces.push({
      namespace,
      status: added(status, objectAt(earlier, "status"), objectAt(later, "status")),
    });
  }
  const [earlier, later] = [before, quota].map((each) => objectAt(each, "status", "total"));
  return { ...quota, status: { total: added(computed.total, earlier, later), namespaces } };
}

/** Adds the usage of a new or changed object in one namespace to the status of a ClusterResourceQuota. */
export function withAddedUsage(quota: KubeObject, namespace: string, added: ResourceList): KubeObject {
  const plus = (status: unknown) => ({
    ...objectAt(status),
    used: formatResourceList(sumOf(resourceListAt(status, "used"), added)),
  });
  const namespaces = listAt(quota, "status", "namespaces").map((each) =>
    isOf(each, namespace) ? { namespace, status: plus(objectAt(each, "status")) } : each,
  );
  return { ...quota, status: { total: plus(objectAt(quota, "status", "total")), namespaces } };
}

function entryOf(quota: KubeObject, namespace: string): unknown {
  return listAt(quota, "status", "namespaces").find((each) => isOf(each, namespace));
}

function isOf(entry: unknown, namespace: string): boolean {
  return scalarStringAt(entry, "namespace") === namespace;
}
