import { atOnce, ignoreGone, type KubeObject, sameJson } from "@keelson/apimachinery";
import { objectAt } from "@keelson/base";
import type { Result } from "@keelson/controller";
import {
  clusterQuotaStatus,
  statusOfNewLimits,
  totalOf,
  withComputedStatus,
  withNewLimits,
} from "../quota/cluster-quota.ts";
import { ClusterQuotaIndex, clusterQuotaBucket, namespaceBucket } from "../quota/cluster-quota-index.ts";
import { evaluatorFor } from "../quota/evaluator-of-kind.ts";
import { withGrowth } from "../quota/growth.ts";
import { hasOtherSelector } from "../quota/namespace-selector.ts";
import { quotaBucket, quotasOfNamespace } from "../quota/quotas-of-namespace.ts";
import { countedObjects, isFew, usagePhases, usedOf } from "../quota/usage.ts";
import { modifyObject } from "../registry/modify.ts";
import type { RegistryContext } from "../resources/registry-context.ts";
import type { StoreEvent } from "../storage/revision-store.ts";
import type { AddKey, StoreController } from "./store-controller.ts";

const definitions = "apiextensions.k8s.io/customresourcedefinitions";
/** Delay in milliseconds before quotas are recomputed after a deletion, so that several deletions cause only one update. */
const replenishMs = 100;
/**
 * Resync period in milliseconds, as in kube-controller-manager. A resync is needed because the grace periods of pods expire
 * without an event.
 */
const resyncMs = 5 * 60_000;

/**
 * Maintains the usage in the status of quotas. The controller computes the usage of new and changed quotas, and again after
 * deletions. When an object is created, the write itself adds the object's usage. Keys without a namespace are
 * ClusterResourceQuotas.
 */
export class ResourceQuotaController implements StoreController {
  readonly name = "resource-quota";
  readonly #context: RegistryContext;
  readonly #signal: AbortSignal;
  readonly #clusterQuotas: ClusterQuotaIndex;
  #stale = new Set<string>();
  #resyncing = false;

  /** Aborting `signal` stops the timers. */
  constructor(context: RegistryContext, signal: AbortSignal) {
    this.#context = context;
    this.#signal = signal;
    this.#clusterQuotas = ClusterQuotaIndex.of(context.store);
  }

  resume(add: AddKey): void {
    this.#addAll(add);
    this.#resync(add);
  }

  observe(event: StoreEvent, add: AddKey): void {
    const { bucket, current, previous, deleted } = event;
    if (bucket === quotaBucket && !deleted) {
      if (isDirty(current.object)) add(current.key);
      this.#resync(add);
    }
    if (bucket === clusterQuotaBucket) this.#observeClusterQuota(event, add);
    if (this.#count() === 0) return;
    if (bucket === namespaceBucket) this.#observeNamespace(event, add);
    if (bucket === definitions) this.#addAll(add);
    else if (deleted || previous) this.#replenish(event, add);
  }

  #observeClusterQuota({ current, previous, deleted }: StoreEvent, add: AddKey): void {
    if (deleted) {
      if (this.#clusterQuotas.isFull)
        for (const name of this.#clusterQuotas.names()) this.#addSoon(name, add);
      return;
    }
    if (!this.#clusterQuotas.has(current.key)) return;
    const isReselected = previous !== undefined && hasOtherSelector(current.object, previous.object);
    if (isReselected || isDirty(totalOf(current.object))) add(current.key);
    this.#resync(add);
  }

  /** Queues the ClusterResourceQuotas that select the namespace only before or only after the change. */
  #observeNamespace({ current, previous, deleted }: StoreEvent, add: AddKey): void {
    if (this.#context.store.count(clusterQuotaBucket) === 0) return;
    const before = new Set(previous ? this.#clusterQuotas.matching(previous) : []);
    const after = new Set(deleted ? [] : this.#clusterQuotas.matching(current));
    for (const name of before.symmetricDifference(after)) this.#addSoon(name, add);
  }

  /** Queues the quotas that apply to a deleted object, or to an object with decreased usage. */
  #replenish({ bucket, current, previous, deleted }: StoreEvent, add: AddKey): void {
    const [namespace, name] = current.key.split("/");
    if (namespace === undefined || name === undefined) return;
    const slash = bucket.lastIndexOf("/");
    const evaluator = evaluatorFor(bucket.slice(0, slash), bucket.slice(slash + 1));
    if (!evaluator || (!deleted && !evaluator.isFreed)) return;
    const { store } = this.#context;
    const hasQuotas =
      store.range(quotaBucket, `${namespace}/`, 1).length > 0 ||
      this.#clusterQuotas.quotasOf(namespace).length > 0;
    if (!hasQuotas) return;
    if (!deleted && !evaluator.isFreed?.(current.object, previous?.object)) return;
    const quotas = quotasOfNamespace(store, namespace);
    for (const { stored, view } of quotas) {
      const names = Object.keys(objectAt(view, "spec", "hard"));
      if (names.some((each) => evaluator.tracks(each))) this.#addSoon(stored.key, add);
    }
  }

  #addSoon(key: string, add: AddKey): void {
    const isFirst = this.#stale.size === 0;
    this.#stale.add(key);
    if (!isFirst) return;
    this.#after(replenishMs, () => {
      const stale = this.#stale;
      this.#stale = new Set();
      for (const each of stale) add(each);
    });
  }

  #addAll(add: AddKey): void {
    for (const { key } of this.#context.store.range(quotaBucket, "")) add(key);
    for (const name of this.#clusterQuotas.names()) add(name);
  }

  #count(): number {
    return this.#context.store.count(quotaBucket) + this.#context.store.count(clusterQuotaBucket);
  }

  /** Recomputes all quotas periodically as long as quotas exist. */
  #resync(add: AddKey): void {
    if (this.#resyncing || this.#count() === 0) return;
    this.#resyncing = true;
    this.#after(resyncMs, () => {
      this.#resyncing = false;
      this.#addAll(add);
      this.#resync(add);
    });
  }

  #after(milliseconds: number, act: () => void): void {
    this.#context.clock.sleep(milliseconds, this.#signal).then(act, () => undefined);
  }

  reconcile(key: string): Promise<Result | undefined> {
    return key.includes("/") ? this.#reconcileQuota(key) : this.#reconcileClusterQuota(key);
  }

  async #reconcileQuota(key: string): Promise<undefined> {
    const { store } = this.#context;
    await this.#writeStatus(quotaBucket, key, (quota) => {
      const counted = countedObjects(this.#context, quota, store.newest);
      if (!isFew(counted))
        return hasCurrentLimits(quota) ? quota : { ...quota, status: statusOfNewLimits(quota) };
      const used = atOnce(usagePhases(this.#context, counted));
      return { ...quota, status: { hard: objectAt(quota, "spec", "hard"), used } };
    });
    const before = store.get(quotaBucket, key)?.object;
    if (!before || !hasCurrentLimits(before)) return;
    const counted = countedObjects(this.#context, before, store.newest);
    if (isFew(counted)) return;
    const computed = await usedOf(this.#context, counted);
    await this.#writeStatus(quotaBucket, key, (quota) =>
      hasCurrentLimits(quota)
        ? {
            ...quota,
            status: { ...objectAt(quota, "status"), used: withGrowth(computed, before.status, quota.status) },
          }
        : quota,
    );
  }

  async #reconcileClusterQuota(name: string): Promise<Result | undefined> {
    if (!this.#clusterQuotas.has(name)) return undefined;
    await this.#writeStatus(clusterQuotaBucket, name, (quota) =>
      isDirty(totalOf(quota)) ? withNewLimits(quota) : quota,
    );
    const stored = this.#context.store.get(clusterQuotaBucket, name);
    if (!stored) return undefined;
    const computed = await clusterQuotaStatus(this.#context, stored);
    let isStale = computed === undefined;
    await this.#writeStatus(clusterQuotaBucket, name, (quota) => {
      const changed = computed && withComputedStatus(quota, stored.object, computed);
      isStale = changed === undefined;
      return changed ?? quota;
    });
    return isStale ? { requeueAfterMs: replenishMs } : undefined;
  }

  async #writeStatus(bucket: string, key: string, change: (quota: KubeObject) => KubeObject): Promise<void> {
    const resource = this.#context.directory.findBucket(bucket);
    if (!resource || !this.#context.store.get(bucket, key)) return;
    await modifyObject(this.#context, resource, key, "status", change).catch(ignoreGone);
  }
}

/** True if the quota's status has its current limits. */
function hasCurrentLimits(quota: KubeObject): boolean {
  return sameJson(objectAt(quota, "spec", "hard"), objectAt(quota, "status", "hard"));
}

/** True if the quota's status has no usage yet, or if the quota's limits have changed. */
function isDirty(quota: KubeObject): boolean {
  return objectAt(quota, "status").used === undefined || !hasCurrentLimits(quota);
}
