import { ignoreGone, type KubeObject, sameJson } from "@keelson/apimachinery";
import { objectAt } from "@keelson/base";
import { quotaBucket } from "../quota/charge.ts";
import { clusterQuotaBucket, clusterQuotaStatus, clusterQuotasOf, totalOf } from "../quota/cluster-quota.ts";
import { evaluatorFor } from "../quota/evaluator-of-kind.ts";
import { usedOf } from "../quota/usage.ts";
import { modifyObject } from "../registry/modify.ts";
import type { RegistryContext } from "../resources/registry-context.ts";
import type { StoreEvent } from "../storage/revision-store.ts";
import type { AddKey, StoreController } from "./store-controller.ts";

const namespaces = "/namespaces";
const definitions = "apiextensions.k8s.io/customresourcedefinitions";
/** Delay in milliseconds to combine updates after several deletions. */
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
  #stale = new Set<string>();
  #resyncing = false;

  /** Aborting `signal` stops the timers. */
  constructor(context: RegistryContext, signal: AbortSignal) {
    this.#context = context;
    this.#signal = signal;
  }

  resume(add: AddKey): void {
    this.#addAll(add);
    this.#resync(add);
  }

  observe(event: StoreEvent, add: AddKey): void {
    const { bucket, current, previous, deleted } = event;
    if ((bucket === quotaBucket || bucket === clusterQuotaBucket) && !deleted) {
      const { object } = current;
      if (bucket === quotaBucket ? isDirty(object) : isDirty(totalOf(object)) || hasNewSelector(event))
        add(current.key);
      this.#resync(add);
    }
    if (this.#count() === 0) return;
    if (bucket === namespaces) for (const { key } of this.#clusterQuotas()) this.#addSoon(key, add);
    if (bucket === definitions) this.#addAll(add);
    else if (deleted || previous) this.#replenish(event, add);
  }

  /** Queues the quotas that apply to a deleted object, or to an object with decreased usage. */
  #replenish({ bucket, current, previous, deleted }: StoreEvent, add: AddKey): void {
    const [namespace, name] = current.key.split("/");
    const quotas = name
      ? [
          ...this.#context.store.range(quotaBucket, `${namespace}/`),
          ...clusterQuotasOf(this.#context, namespace ?? ""),
        ]
      : [];
    if (quotas.length === 0) return;
    const slash = bucket.lastIndexOf("/");
    const evaluator = evaluatorFor(bucket.slice(0, slash), bucket.slice(slash + 1));
    if (!evaluator || (!deleted && !evaluator.isFreed?.(current.object, previous?.object))) return;
    for (const { key, object } of quotas) {
      const { hard } = objectAt(key.includes("/") ? object : totalOf(object), "spec");
      const names = Object.keys(objectAt(hard));
      if (names.some((each) => evaluator.tracks(each))) this.#addSoon(key, add);
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
    for (const { key } of this.#clusterQuotas()) add(key);
  }

  #clusterQuotas() {
    return this.#context.store.range(clusterQuotaBucket, "");
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

  async reconcile(key: string): Promise<undefined> {
    const bucket = key.includes("/") ? quotaBucket : clusterQuotaBucket;
    const resource = this.#context.directory.findBucket(bucket);
    if (!resource || !this.#context.store.get(bucket, key)) return;
    const withUsage = async (quota: KubeObject): Promise<KubeObject> => ({
      ...quota,
      status:
        bucket === quotaBucket
          ? { hard: objectAt(quota, "spec", "hard"), used: usedOf(this.#context, quota) }
          : await clusterQuotaStatus(this.#context, quota),
    });
    await modifyObject(this.#context, resource, key, "status", withUsage).catch(ignoreGone);
  }
}

/** True if a ClusterResourceQuota selects other namespaces than before. */
function hasNewSelector({ current, previous }: StoreEvent): boolean {
  const selectorOf = ({ object }: StoreEvent["current"]) => objectAt(object, "spec", "selector");
  return previous !== undefined && !sameJson(selectorOf(current), selectorOf(previous));
}

/** True if the quota's status has no usage yet, or if the quota's limits have changed. */
function isDirty(quota: KubeObject): boolean {
  const { hard, used } = objectAt(quota, "status");
  return used === undefined || !sameJson(objectAt(quota, "spec", "hard"), hard);
}
