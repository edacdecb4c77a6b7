import type { ClusterClient, DeleteOptions, KubeObject, ObjectKey } from "@keelson/apiserver";
import type { Clock, Logger } from "@keelson/base";
import type { Cache, Informer } from "@keelson/controller";
import type { Resource } from "../base/resources.ts";
import { hasReason } from "../base/status-reason.ts";
import { sharedWritePace } from "./write-pace.ts";

export interface WorkloadContextParts {
  readonly client: ClusterClient;
  readonly cache: Cache;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Dependencies of the workload controllers of one cluster. Watched resources are read from memory. A write also updates the
 * objects in memory immediately, so controllers always see their own writes.
 */
export class WorkloadContext {
  readonly client: ClusterClient;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly #cache: Cache;

  constructor({ client, cache, clock, logger }: WorkloadContextParts) {
    this.client = client;
    this.clock = clock;
    this.logger = logger;
    this.#cache = cache;
  }

  informer(resource: Resource): Informer {
    return this.#cache.informer(resource);
  }

  /** Resolves when a write may start. Writes of this class wait automatically. */
  async writeTurn(): Promise<void> {
    await sharedWritePace.next(this);
  }

  async create(resource: Resource, object: KubeObject): Promise<KubeObject> {
    await this.writeTurn();
    return this.#seen(resource, await this.client.create(resource, object));
  }

  async update(resource: Resource, object: KubeObject): Promise<KubeObject> {
    await this.writeTurn();
    return this.#seen(resource, await this.client.update(resource, object));
  }

  async updateStatus(resource: Resource, object: KubeObject): Promise<KubeObject> {
    await this.writeTurn();
    return this.#seen(resource, await this.client.updateStatus(resource, object));
  }

  async mergePatch(
    resource: Resource,
    key: ObjectKey,
    patch: Readonly<Record<string, unknown>>,
    subresource?: "status",
  ): Promise<KubeObject> {
    await this.writeTurn();
    return this.#seen(resource, await this.client.mergePatch(resource, key, patch, subresource));
  }

  /** Deletes an object. Ignores an object that is already deleted. */
  async delete(resource: Resource, { metadata }: KubeObject, options: DeleteOptions = {}): Promise<void> {
    await this.writeTurn();
    const preconditions = metadata.uid === undefined ? {} : { uid: metadata.uid };
    try {
      await this.client.delete(resource, metadata, { ...options, preconditions });
    } catch (error) {
      // The object was deleted, or replaced by a new object with the same name.
      if (!hasReason(error, "NotFound") && !hasReason(error, "Conflict")) throw error;
    }
    const present = await this.client.find(resource, metadata);
    if (present) this.#cache.written(resource, present);
    else {
      const known = this.#cache.find(resource, metadata);
      if (known) this.#cache.removed(resource, known);
    }
  }

  #seen(resource: Resource, object: KubeObject): KubeObject {
    this.#cache.written(resource, object);
    return object;
  }
}
