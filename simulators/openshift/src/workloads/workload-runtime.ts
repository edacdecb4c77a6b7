import type { ClusterClient, KubeObject, ResourceRef } from "@keelson/apiserver";
import { type Clock, type Logger, messageOf } from "@keelson/base";
import { WorkQueue } from "../runtime/work-queue.ts";
import { type Indexers, ObjectCache } from "./object-cache.ts";
import { resourceName, WorkloadContext } from "./workload-context.ts";
import type { WorkloadController } from "./workload-controller.ts";

interface Running {
  readonly controller: WorkloadController;
  readonly queue: WorkQueue;
}

/** A conflict goes away with the next attempt; what fails this often in a row does not pass by itself. */
const lastingAttempts = 5;
const watchPauseMs = 100;

/** Runs workload controllers over one watch and one cache per resource. At rest it costs nothing but these. */
export class WorkloadRuntime implements AsyncDisposable {
  readonly context: WorkloadContext;
  readonly #caches: ReadonlyMap<string, ObjectCache>;
  readonly #resources: ReadonlyMap<string, ResourceRef>;
  readonly #stop = new AbortController();
  readonly #running: readonly Running[];
  #watches: readonly Promise<void>[] = [];

  constructor(
    client: ClusterClient,
    controllers: readonly WorkloadController[],
    indexers: Readonly<Record<string, Indexers>>,
    deps: { readonly clock: Clock; readonly logger: Logger },
  ) {
    const watched = controllers.flatMap(({ watches }) => watches.map(({ resource }) => resource));
    this.#resources = new Map(watched.map((resource) => [resourceName(resource), resource]));
    this.#caches = new Map(
      [...this.#resources.keys()].map((name) => [name, new ObjectCache(indexers[name])]),
    );
    this.context = new WorkloadContext(client, this.#caches, deps);
    this.#running = controllers.map((controller) => ({ controller, queue: this.#queueOf(controller) }));
  }

  /** Resolves when everything that exists has been seen; from then on controllers work. */
  async start(): Promise<void> {
    const lists = await Promise.all(
      [...this.#resources.values()].map(async (resource) => {
        const list = await this.context.client.list(resource);
        for (const object of list.items) this.context.cache(resource).put(object);
        return { resource, list };
      }),
    );
    for (const { resource, list } of lists)
      for (const object of list.items) this.#dispatch(resource, object, undefined);
    this.#watches = lists.map(({ resource, list }) => this.#watch(resource, list.resourceVersion));
  }

  /** Makes a controller look at a key although no object changed. */
  enqueue(controller: string, key: string): void {
    this.#running.find((each) => each.controller.name === controller)?.queue.add(key);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#watches);
    await Promise.all(this.#running.map(({ queue }) => queue.drained()));
  }

  #queueOf(controller: WorkloadController): WorkQueue {
    const { clock, logger } = this.context;
    return new WorkQueue({
      process: (key, signal) => controller.reconcile(key, this.context, signal),
      onFailure: (key, error, attempt) => {
        const level = attempt < lastingAttempts ? "debug" : "warn";
        logger[level](
          { controller: controller.name, key, attempt, error: messageOf(error) },
          "reconcile failed",
        );
      },
      clock,
      signal: this.#stop.signal,
    });
  }

  async #watch(resource: ResourceRef, from: string): Promise<void> {
    const { client, clock, logger } = this.context;
    const { signal } = this.#stop;
    let resourceVersion = from;
    while (!signal.aborted) {
      try {
        for await (const event of client.watch(resource, { resourceVersion }, signal)) {
          if (event.type === "BOOKMARK") continue;
          resourceVersion = event.object.metadata.resourceVersion ?? resourceVersion;
          this.#observe(resource, event.type === "DELETED", event.object);
        }
      } catch (error) {
        if (!signal.aborted) logger.warn({ resource, error: messageOf(error) }, "watch broke");
      }
      await clock.sleep(watchPauseMs, signal).catch(() => undefined);
      if (!signal.aborted) resourceVersion = await this.#relist(resource, resourceVersion);
    }
  }

  /** What happened while nobody watched. */
  async #relist(resource: ResourceRef, before: string): Promise<string> {
    try {
      const list = await this.context.client.list(resource);
      const present = new Set(list.items.map(({ metadata }) => metadata.uid));
      for (const object of this.context.cache(resource).list())
        if (!present.has(object.metadata.uid)) this.#observe(resource, true, object);
      for (const object of list.items) this.#observe(resource, false, object);
      return list.resourceVersion;
    } catch (error) {
      this.context.logger.warn({ resource, error: messageOf(error) }, "list failed");
      return before;
    }
  }

  #observe(resource: ResourceRef, deleted: boolean, object: KubeObject): void {
    const cache = this.context.cache(resource);
    if (deleted) {
      cache.remove(object);
      this.#dispatch(resource, object, object);
      return;
    }
    // What this process wrote itself is no news to the cache, but it is to the other controllers.
    const { before } = cache.put(object);
    this.#dispatch(resource, object, before);
  }

  #dispatch(resource: ResourceRef, object: KubeObject, before: KubeObject | undefined): void {
    const name = resourceName(resource);
    for (const { controller, queue } of this.#running)
      for (const watch of controller.watches)
        if (resourceName(watch.resource) === name)
          for (const key of watch.keys(object, this.context, before)) queue.add(key);
  }
}
