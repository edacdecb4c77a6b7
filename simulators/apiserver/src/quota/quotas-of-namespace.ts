import type { KubeObject } from "@keelson/apimachinery";
import { objectAt } from "@keelson/base";
import type { RevisionStore } from "../storage/revision-store.ts";
import type { StoredObject } from "../storage/stored-object.ts";
import { totalOf } from "./cluster-quota.ts";
import { ClusterQuotaIndex, clusterQuotaBucket } from "./cluster-quota-index.ts";

export const quotaBucket = "/resourcequotas";

/** Maximum number of ResourceQuotas of a namespace that apply. */
const maxQuotas = 100;
/** Maximum number of limits, and maximum size in bytes, of all quotas that apply to a namespace. Each write stores them again. */
const maxLimits = 1_000;
const maxBytes = 2 * 1_024 * 1_024;

/** Quota that applies to the objects of a namespace. */
export interface NamespaceQuota {
  readonly bucket: string;
  readonly stored: StoredObject;
  /** The quota in the form of a ResourceQuota. */
  readonly view: KubeObject;
}

/**
 * Returns the quotas that apply to a namespace: its ResourceQuotas by name, then the ClusterResourceQuotas by name. Quotas beyond the
 * limits do not apply.
 */
export function quotasOfNamespace(store: RevisionStore, namespace: string): readonly NamespaceQuota[] {
  const own = store.range(quotaBucket, `${namespace}/`, maxQuotas);
  const shared = ClusterQuotaIndex.of(store).quotasOf(namespace);
  let [limits, bytes] = [0, 0];
  const applies = (
    stored: StoredObject,
    view: () => KubeObject,
    bucket: string,
  ): readonly NamespaceQuota[] => {
    if (bytes + stored.size > maxBytes) return [];
    const shown = view();
    const added = Object.keys(objectAt(shown, "spec", "hard")).length;
    if (limits + added > maxLimits) return [];
    limits += added;
    bytes += stored.size;
    return [{ bucket, stored, view: shown }];
  };
  return [
    ...own.flatMap((stored) => applies(stored, () => stored.object, quotaBucket)),
    ...shared.flatMap((stored) => applies(stored, () => totalOf(stored.object), clusterQuotaBucket)),
  ];
}
