import {
  formatResourceList,
  type KubeObject,
  type ResourceList,
  resourceListAt,
  scalarStringAt,
  sharedTurns,
  sumOf,
} from "@keelson/apimachinery";
import { listAt, objectAt } from "@keelson/base";
import type { RegistryContext } from "../resources/registry-context.ts";
import type { StoredObject } from "../storage/stored-object.ts";
import { ClusterQuotaIndex, namespaceBucket } from "./cluster-quota-index.ts";
import { usedOf } from "./usage.ts";

/**
 * Maximum size in bytes of the usage per namespace in a quota's status. The size is limited, because each write in a selected
 * namespace stores the status.
 */
const maxListBytes = 16_384;

/** Returns the quota and the total usage of a ClusterResourceQuota in the form of a ResourceQuota. */
export function totalOf(quota: KubeObject): KubeObject {
  return { ...quota, spec: objectAt(quota, "spec", "quota"), status: objectAt(quota, "status", "total") };
}

/**
 * Applies new limits to the status of a quota. Resources that the quota did not limit before have no usage in the result. Until
 * their usage is computed, objects that need these resources cannot be created. Otherwise objects that are created during the
 * computation would not be counted.
 */
export function withNewLimits(quota: KubeObject): KubeObject {
  const hard = objectAt(quota, "spec", "quota", "hard");
  const { used } = objectAt(quota, "status", "total");
  const kept = Object.entries(objectAt(used)).filter(([name]) => Object.hasOwn(hard, name));
  const total = used === undefined ? { hard } : { hard, used: Object.fromEntries(kept) };
  return { ...quota, status: { ...objectAt(quota, "status"), total } };
}

/**
 * Computes the status of a ClusterResourceQuota from the objects in the selected namespaces. Other work of the process runs between
 * two namespaces.
 */
export async function clusterQuotaStatus(context: RegistryContext, stored: StoredObject): Promise<object> {
  const { store } = context;
  const { key, object: quota } = stored;
  const hard = objectAt(quota, "spec", "quota", "hard");
  const index = ClusterQuotaIndex.of(store);
  const listed: object[] = [];
  let listedBytes = 0;
  let total: ResourceList = resourceListAt({});
  for (const owner of store.range(namespaceBucket, "")) {
    await sharedTurns.wait(store);
    if (!index.matching(owner).includes(key)) continue;
    const namespace = owner.key;
    const own = { ...totalOf(quota), status: objectAt(entryOf(quota, namespace), "status") };
    const used = usedOf(context, { ...own, metadata: { ...own.metadata, namespace } });
    total = sumOf(total, resourceListAt(used));
    const entry = { namespace, status: { hard, used } };
    listedBytes += JSON.stringify(entry).length;
    if (listedBytes <= maxListBytes) listed.push(entry);
  }
  return { total: { hard, used: formatResourceList(total) }, namespaces: listed };
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
