import { setImmediate as nextTurn } from "node:timers/promises";
import {
  formatResourceList,
  type KubeObject,
  labelSelectorOf,
  matchesLabels,
  type ResourceList,
  resourceListAt,
  scalarStringAt,
  sumOf,
} from "@keelson/apimachinery";
import { listAt, objectAt, valueAt } from "@keelson/base";
import type { RegistryContext } from "../resources/registry-context.ts";
import { bucketOf } from "../resources/served-resource.ts";
import type { StoredObject } from "../storage/stored-object.ts";
import { usedOf } from "./usage.ts";

/** ClusterResourceQuotas of OpenShift, which limit the sum of several namespaces. They exist only if their definition exists. */
export const clusterQuotaBucket = bucketOf("quota.openshift.io", "clusterresourcequotas");
const namespaceBucket = "/namespaces";

/** Returns the quota and the total usage of a ClusterResourceQuota in the form of a ResourceQuota. */
export function totalOf(quota: KubeObject): KubeObject {
  return { ...quota, spec: objectAt(quota, "spec", "quota"), status: objectAt(quota, "status", "total") };
}

/** Returns the ClusterResourceQuotas that select a namespace. */
export function clusterQuotasOf({ store }: RegistryContext, namespace: string): readonly StoredObject[] {
  if (store.count(clusterQuotaBucket) === 0) return [];
  const owner = store.get(namespaceBucket, namespace)?.object;
  if (!owner) return [];
  return store.range(clusterQuotaBucket, "").filter(({ object }) => selects(object, owner));
}

/**
 * True if a ClusterResourceQuota selects the namespace. If it has labels and annotations, both must match.
 * @see openshift/library-go pkg/quota/clusterquotamapping/helpers.go
 */
function selects(quota: KubeObject, { metadata }: KubeObject): boolean {
  const labels = valueAt(quota, "spec", "selector", "labels") ?? undefined;
  const annotations = Object.entries(objectAt(quota, "spec", "selector", "annotations"));
  if (labels === undefined && annotations.length === 0) return false;
  return (
    (labels === undefined || matchesLabels(labelSelectorOf(labels), metadata.labels ?? {})) &&
    annotations.every(([key, value]) => metadata.annotations?.[key] === value)
  );
}

/**
 * Computes the status of a ClusterResourceQuota from the objects in the selected namespaces. Other work of the process runs between
 * two namespaces.
 */
export async function clusterQuotaStatus(context: RegistryContext, quota: KubeObject): Promise<object> {
  const hard = objectAt(quota, "spec", "quota", "hard");
  const namespaces: object[] = [];
  const uses: ResourceList[] = [];
  for (const { key: namespace, object } of context.store.range(namespaceBucket, "")) {
    if (!selects(quota, object)) continue;
    const own = { ...totalOf(quota), status: objectAt(entryOf(quota, namespace), "status") };
    const used = usedOf(context, { ...own, metadata: { ...own.metadata, namespace } });
    namespaces.push({ namespace, status: { hard, used } });
    uses.push(resourceListAt(used));
    await nextTurn();
  }
  return { total: { hard, used: formatResourceList(sumOf(...uses)) }, namespaces };
}

/** Adds the usage of a new or changed object in one namespace to the status of a ClusterResourceQuota. */
export function withAddedUsage(quota: KubeObject, namespace: string, added: ResourceList): KubeObject {
  const total = objectAt(quota, "status", "total");
  const plus = (status: unknown) => ({
    ...objectAt(status),
    used: formatResourceList(sumOf(resourceListAt(status, "used"), added)),
  });
  const entry = entryOf(quota, namespace) ?? { namespace, status: { hard: total.hard, used: {} } };
  const others = listAt(quota, "status", "namespaces").filter((each) => !isOf(each, namespace));
  const changed = { namespace, status: plus(objectAt(entry, "status")) };
  const namespaces = [...others, changed].sort((a, b) =>
    scalarStringAt(a, "namespace").localeCompare(scalarStringAt(b, "namespace")),
  );
  return { ...quota, status: { total: plus(total), namespaces } };
}

function entryOf(quota: KubeObject, namespace: string): unknown {
  return listAt(quota, "status", "namespaces").find((each) => isOf(each, namespace));
}

function isOf(entry: unknown, namespace: string): boolean {
  return scalarStringAt(entry, "namespace") === namespace;
}
