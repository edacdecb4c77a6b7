import type { Clock, Logger } from "@keelson/base";
import type { KubeApi, KubeObject, KubeResource, ObjectKey, Selection } from "@keelson/kube";
import { keyText } from "../objects/object-key.ts";
import { compareRevisions, type Indexer, ObjectStore } from "./object-store.ts";
import { type Observation, Reflector } from "./reflector.ts";
import type { Strip } from "./strip-fields.ts";

/** Change of an object. `initial` is true if the object existed before the subscription or was in the first list. */
export type Change<T extends KubeObject = KubeObject> =
  | { readonly type: "created"; readonly object: T; readonly before?: undefined; readonly initial: boolean }
  | { readonly type: "updated"; readonly object: T; readonly before: T; readonly initial: false }
  | { readonly type: "deleted"; readonly object: T; readonly before: T; readonly initial: false };

export interface InformerOptions<T extends KubeObject> {
  readonly api: Pick<KubeApi, "list" | "watch">;
  readonly resource: KubeResource<T>;
  readonly selection: Selection;
  readonly strip: Strip<T>;
  /** Maximum number of objects in memory. Above this limit, the informer stops reading and logs an error. */
  readonly maxObjects: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Caches the objects of one resource. All controllers that use the resource share one watch. */
export class Informer<T extends KubeObject = KubeObject> {
  readonly resource: KubeResource<T>;
  readonly #options: InformerOptions<T>;
  readonly #store = new ObjectStore<T>();
  #subscribers: readonly ((change: Change<T>) => void)[] = [];
  /** Created by the first `synced` call if the initial list is not complete yet. */
  #synced: PromiseWithResolvers<void> | undefined;
  /** Names of the objects that the current list has returned so far. Undefined if no list is in progress. */
  #listing: Set<string> | undefined;
  #hasSynced = false;
  #revision = "0";

  constructor(options: InformerOptions<T>) {
    this.#options = options;
    this.resource = options.resource;
  }

  /** True after all existing objects were read, or if the server does not serve the resource. */
  get hasSynced(): boolean {
    return this.#hasSynced;
  }

  get size(): number {
    return this.#store.size;
  }

  /** Resolves when `hasSynced` becomes true. */
  async synced(): Promise<void> {
    if (this.#hasSynced) return;
    this.#synced ??= Promise.withResolvers();
    await this.#synced.promise;
  }

  get(key: ObjectKey): T | undefined {
    return this.#store.get(key);
  }

  /** Returns the cached objects of a namespace. Default: all namespaces. */
  list(namespace?: string): readonly T[] {
    return this.#store.list(namespace);
  }

  /** Returns the objects with this value in an index that `addIndex` created. */
  by(index: string, value: string): readonly T[] {
    return this.#store.by(index, value);
  }

  addIndex(name: string, indexer: Indexer<T>): void {
    this.#store.addIndex(name, indexer);
  }

  /** Calls the subscriber for each cached object, and then for each change in order. The subscriber must not throw or block. */
  subscribe(subscriber: (change: Change<T>) => void): Disposable {
    for (const object of this.#store.list()) subscriber({ type: "created", object, initial: true });
    this.#subscribers = [...this.#subscribers, subscriber];
    return {
      [Symbol.dispose]: () => {
        this.#subscribers = this.#subscribers.filter((each) => each !== subscriber);
      },
    };
  }

  /**
   * Adds an object that this process just wrote, before the watch reports it. Controllers therefore never read a state older than
   * their own writes.
   */
  written(object: T): void {
    // The watch has already delivered this revision or a later state of the object.
    if (compareRevisions(object.metadata.resourceVersion ?? "", this.#revision) <= 0) return;
    this.#put(object, false);
  }

  /** Removes an object that this process just deleted. A newer object with the same name is kept. */
  removed(object: T): void {
    const present = this.#store.get(object.metadata);
    if (present && present.metadata.uid === object.metadata.uid) this.#remove(present);
  }

  /** Lists and watches until the signal aborts. */
  run(signal: AbortSignal): Promise<void> {
    const { api, resource, selection, clock, logger } = this.#options;
    const report = (observation: Observation<T>) => this.#take(observation);
    return new Reflector({ api, resource, selection, report, clock, logger }).run(signal);
  }

  #take(observation: Observation<T>): void {
    switch (observation.type) {
      case "listing":
        this.#listing = new Set();
        break;
      case "listed":
        this.#listing?.add(keyText(observation.object.metadata));
        this.#put(observation.object, !this.#hasSynced);
        break;
      case "changed":
        this.#put(observation.object, false);
        break;
      case "removed":
        this.#remove(observation.object);
        break;
      case "complete":
        this.#removeUnlisted(this.#listing ?? new Set(), observation.resourceVersion);
        this.#revision = observation.resourceVersion;
        this.#markSynced();
        break;
      case "progressed":
        this.#revision = observation.resourceVersion;
        break;
      case "absent":
        this.#removeUnlisted(new Set());
        this.#markSynced();
        break;
    }
  }

  #put(given: T, initial: boolean): void {
    // The process has already added this revision after its own write.
    const present = this.#store.get(given.metadata);
    if (
      present &&
      compareRevisions(given.metadata.resourceVersion ?? "", present.metadata.resourceVersion ?? "") <= 0
    )
      return;
    const object = this.#options.strip(given);
    if (this.#store.size >= this.#options.maxObjects && !present) {
      const { plural, group } = this.resource;
      throw new Error(
        `the cluster has more than ${this.#options.maxObjects} ${plural}${group && `.${group}`}; raise maxObjects or select fewer`,
      );
    }
    const { news, before } = this.#store.put(object);
    if (!news) return;
    this.#report(
      before ? { type: "updated", object, before, initial: false } : { type: "created", object, initial },
    );
  }

  #remove(object: T): void {
    const before = this.#store.remove(object);
    if (before)
      this.#report({ type: "deleted", object: this.#options.strip(object), before, initial: false });
  }

  /**
   * Removes objects that are missing in a complete list. Keeps objects that this process wrote after the list's `revision`,
   * because the list cannot contain them.
   */
  #removeUnlisted(listed: ReadonlySet<string>, revision?: string): void {
    this.#listing = undefined;
    for (const before of this.#store.list()) {
      if (listed.has(keyText(before.metadata))) continue;
      const writtenAt = before.metadata.resourceVersion ?? "";
      if (revision !== undefined && compareRevisions(writtenAt, revision) > 0) continue;
      this.#store.remove(before);
      this.#report({ type: "deleted", object: before, before, initial: false });
    }
  }

  #markSynced(): void {
    this.#hasSynced = true;
    this.#synced?.resolve();
    this.#synced = undefined;
  }

  #report(change: Change<T>): void {
    for (const subscriber of this.#subscribers) subscriber(change);
  }
}
