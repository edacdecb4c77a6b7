import type { ClusterClient, DeleteOptions, KubeObject, ObjectKey, ResourceRef } from "@keelson/apiserver";
import type { Clock, Logger } from "@keelson/base";
import { hasReason } from "../runtime/status-reason.ts";
import type { ObjectCache } from "./object-cache.ts";

/**
 * What the workload controllers of one cluster work with. Reads of watched resources come from memory; what is written
 * here is seen there at once, so that no controller acts on a state from before its own writes.
 */
export class WorkloadContext {
  readonly client: ClusterClient;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly #caches: ReadonlyMap<string, ObjectCache>;

  constructor(
    client: ClusterClient,
    caches: ReadonlyMap<string, ObjectCache>,
    { clock, logger }: { readonly clock: Clock; readonly logger: Logger },
  ) {
    this.client = client;
    this.clock = clock;
    this.logger = logger;
    this.#caches = caches;
  }

  cache(ref: ResourceRef): ObjectCache {
    const cache = this.#caches.get(resourceName(ref));
    if (!cache) throw new Error(`${resourceName(ref)} are not watched`);
    return cache;
  }

  async create(ref: ResourceRef, object: KubeObject): Promise<KubeObject> {
    return this.#seen(ref, await this.client.create(ref, object));
  }

  async update(ref: ResourceRef, object: KubeObject): Promise<KubeObject> {
    return this.#seen(ref, await this.client.update(ref, object));
  }

  async updateStatus(ref: ResourceRef, object: KubeObject): Promise<KubeObject> {
    return this.#seen(ref, await this.client.updateStatus(ref, object));
  }

  async mergePatch(
    ref: ResourceRef,
    key: ObjectKey,
    patch: Readonly<Record<string, unknown>>,
    subresource?: "status",
  ): Promise<KubeObject> {
    return this.#seen(ref, await this.client.mergePatch(ref, key, patch, subresource));
  }

  /** What is gone already is as good as deleted. */
  async delete(ref: ResourceRef, { metadata }: KubeObject, options: DeleteOptions = {}): Promise<void> {
    const preconditions = metadata.uid === undefined ? {} : { uid: metadata.uid };
    try {
      await this.client.delete(ref, metadata, { ...options, preconditions });
    } catch (error) {
      // Another object has its name by now, or none.
      if (!hasReason(error, "NotFound") && !hasReason(error, "Conflict")) throw error;
    }
    const present = await this.client.find(ref, metadata);
    const cached = this.#caches.get(resourceName(ref));
    if (present) cached?.put(present);
    else {
      const known = cached?.get(metadata);
      if (known) cached?.remove(known);
    }
  }

  #seen(ref: ResourceRef, object: KubeObject): KubeObject {
    this.#caches.get(resourceName(ref))?.put(object);
    return object;
  }
}

export function resourceName({ group, resource }: ResourceRef): string {
  return group ? `${resource}.${group}` : resource;
}
