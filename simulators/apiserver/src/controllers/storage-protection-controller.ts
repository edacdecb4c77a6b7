import { ignoreGone, type KubeObject, scalarStringAt } from "@keelson/apimachinery";
import { listAt, valueAt } from "@keelson/base";
import { protectionFinalizers } from "../admission/plugins/storage-object-in-use-protection.ts";
import { modifyObject } from "../registry/modify.ts";
import type { RegistryContext } from "../resources/registry-context.ts";
import type { StoreEvent } from "../storage/revision-store.ts";
import type { AddKey, StoreController } from "./store-controller.ts";

const claims = "/persistentvolumeclaims";
const pods = "/pods";

/**
 * Removes the protection finalizer of a deleted claim when no scheduled pod uses the claim. Removes the protection finalizer of a
 * deleted volume when the volume is unbound.
 */
export class StorageProtectionController implements StoreController {
  readonly name = "storage-protection";
  readonly #context: RegistryContext;
  /**
   * Deleted claims that pods still use, and deleted volumes that are still bound, in the form `bucket key`. If the set is empty,
   * pod deletions are ignored.
   */
  readonly #held = new Set<string>();

  constructor(context: RegistryContext) {
    this.#context = context;
  }

  resume(add: AddKey): void {
    for (const bucket of Object.keys(protectionFinalizers)) {
      for (const { key, object } of this.#context.store.range(bucket, "")) {
        if (isCandidate(bucket, object)) add(`${bucket} ${key}`);
      }
    }
  }

  observe({ bucket, current, deleted }: StoreEvent, add: AddKey): void {
    if (bucket === pods) {
      if (this.#held.size > 0 && (deleted || isShutDown(current.object))) this.#release(current.object, add);
      return;
    }
    if (!Object.hasOwn(protectionFinalizers, bucket)) return;
    const item = `${bucket} ${current.key}`;
    if (deleted) this.#held.delete(item);
    else if (isCandidate(bucket, current.object)) add(item);
  }

  /** Queues the deleted claims that a deleted or stopped pod used. */
  #release(pod: KubeObject, add: AddKey): void {
    for (const name of [...namedClaims(pod), ...ownClaims(pod)]) {
      const item = `${claims} ${pod.metadata.namespace}/${name}`;
      if (this.#held.has(item)) add(item);
    }
  }

  async reconcile(item: string): Promise<undefined> {
    const [bucket = "", key = ""] = item.split(" ");
    this.#held.delete(item);
    const { store, directory } = this.#context;
    const object = store.get(bucket, key)?.object;
    if (!object || !isCandidate(bucket, object)) return;
    if (bucket === claims ? this.#isUsed(object) : scalarStringAt(object, "status", "phase") === "Bound") {
      this.#held.add(item);
      return;
    }
    const resource = directory.findBucket(bucket);
    const finalizer = protectionFinalizers[bucket];
    const release = (current: KubeObject): KubeObject => ({
      ...current,
      metadata: {
        ...current.metadata,
        finalizers: (current.metadata.finalizers ?? []).filter((each) => each !== finalizer),
      },
    });
    if (resource) await modifyObject(this.#context, resource, key, "main", release).catch(ignoreGone);
  }

  #isUsed({ metadata: { name, namespace } }: KubeObject): boolean {
    const mark = JSON.stringify(name);
    return (
      this.#context.store
        .range(pods, `${namespace}/`)
        // The search in the serialized bytes avoids parsing pods without the claim.
        .filter(({ bytes }) => bytes.includes(mark) || bytes.includes('"ephemeral"'))
        .some(({ object }) => scalarStringAt(object, "spec", "nodeName") !== "" && uses(object, name))
    );
  }
}

function isCandidate(bucket: string, { metadata }: KubeObject): boolean {
  const finalizer = protectionFinalizers[bucket];
  return (
    metadata.deletionTimestamp !== undefined &&
    finalizer !== undefined &&
    metadata.finalizers?.includes(finalizer) === true
  );
}

/** Returns the names of claims that a pod references. */
function namedClaims(pod: KubeObject): readonly string[] {
  return listAt(pod, "spec", "volumes").map((volume) =>
    scalarStringAt(volume, "persistentVolumeClaim", "claimName"),
  );
}

/** Returns the names of claims for a pod's ephemeral volumes. Each name consists of pod and volume name. */
function ownClaims(pod: KubeObject): readonly string[] {
  return listAt(pod, "spec", "volumes")
    .filter((volume) => valueAt(volume, "ephemeral") !== undefined)
    .map((volume) => `${pod.metadata.name}-${scalarStringAt(volume, "name")}`);
}

function uses(pod: KubeObject, claim: string): boolean {
  return namedClaims(pod).includes(claim) || (!isShutDown(pod) && ownClaims(pod).includes(claim));
}

/** True if the pod has stopped on its node or was force-deleted. */
function isShutDown({ metadata }: KubeObject): boolean {
  return metadata.deletionTimestamp !== undefined && metadata.deletionGracePeriodSeconds === 0;
}
