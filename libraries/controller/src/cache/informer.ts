import type { Clock, Logger } from "@keelson/base";
import type { KubeApi, KubeObject, KubeResource, ObjectKey, Selection } from "@keelson/kube";
import { keyText } from "../objects/object-key.ts";
import { compareRevisions, type Indexer, ObjectStore } from "./object-store.ts";
import { Reflector, type ReflectorSink } from "./reflector.ts";
import type { Strip } from "./strip-fields.ts";

/** What happened to an object. `initial`: it is part of a first list, which no change brought about. */
export type Change<T extends KubeObject = KubeObject> =
  | { readonly type: "created"; readonly object: T; readonly before?: undefined; readonly initial: boolean }
  | { readonly type: "updated"; readonly object: T; readonly before: T; readonly initial: false }
  | { readonly type: "deleted"; readonly object: T; readonly before: T; readonly initial: false };

export interface InformerOptions<T extends KubeObject> {
  readonly api: Pick<KubeApi, "list" | "watch">;
  readonly resource: KubeResource<T>;
  readonly selection: Selection;
  readonly strip: Strip<T>;
  /** More is a cluster that this process has no memory for: the informer stops reading and says so. */
  readonly maxObjects: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The objects of one resource in memory, kept up to date by one watch which all controllers share. */
export class Informer<T extends KubeObject = KubeObject> {
  readonly resource: KubeResource<T>;
  readonly #options: InformerOptions<T>;
  readonly #store = new ObjectStore<T>();
  readonly #subscribers = new Set<(change: Change<T>) => void>();
  readonly #synced = Promise.withResolvers<void>();
  /** Names seen in the list that is running. */
  #listing: Set<string> | undefined;
  #hasSynced = false;
  #revision = "0";

  constructor(options: InformerOptions<T>) {
    this.#options = options;
    this.resource = options.resource;
  }

  /** True once everything that existed has been seen, or the server was found not to serve the resource. */
  get hasSynced(): boolean {
    return this.#hasSynced;
  }

  get size(): number {
    return this.#store.size;
  }

  /** Resolves when `hasSynced`. */
  synced(): Promise<void> {
    return this.#synced.promise;
  }

  get(key: ObjectKey): T | undefined {
    return this.#store.get(key);
  }

  /** Of all namespaces when none is given. */
  list(namespace?: string): readonly T[] {
    return this.#store.list(namespace);
  }

  /** The objects for which an index of `addIndex` has this value. */
  by(index: string, value: string): readonly T[] {
    return this.#store.by(index, value);
  }

  addIndex(name: string, indexer: Indexer<T>): void {
    this.#store.addIndex(name, indexer);
  }

  /** Reports what exists, then every change, in order. A subscriber neither throws nor waits. */
  subscribe(subscriber: (change: Change<T>) => void): Disposable {
    for (const object of this.#store.list()) subscriber({ type: "created", object, initial: true });
    this.#subscribers.add(subscriber);
    return { [Symbol.dispose]: () => void this.#subscribers.delete(subscriber) };
  }

  /** What this process just wrote, so that no controller acts on a state from before its own writes. */
  written(object: T): void {
    // The watch has passed that revision: it brought the object, or its deletion.
    if (compareRevisions(object.metadata.resourceVersion ?? "", this.#revision) <= 0) return;
    this.#put(object, false);
  }

  /** What this process just deleted, as it last saw it: what has taken its name since stays. */
  removed(object: T): void {
    const present = this.#store.get(object.metadata);
    if (present && present.metadata.uid === object.metadata.uid) this.#remove(present);
  }

  /** Lists and watches until the signal aborts. */
  run(signal: AbortSignal): Promise<void> {
    const { api, resource, selection, clock, logger } = this.#options;
    const sink: ReflectorSink<T> = {
      listing: () => {
        this.#listing = new Set();
      },
      store: (object, change) => {
        if (change === "listed") this.#listing?.add(keyText(object.metadata));
        this.#put(object, change === "listed" && !this.#hasSynced);
      },
      removed: (object) => this.#remove(object),
      listed: (revision) => this.#listed(revision),
      progressed: (revision) => {
        this.#revision = revision;
      },
      absent: () => {
        this.#removeUnlisted(new Set());
        this.#markSynced();
      },
    };
    return new Reflector({ api, resource, selection, sink, clock, logger }).run(signal);
  }

  #put(given: T, initial: boolean): void {
    const object = this.#options.strip(given);
    if (this.#store.size >= this.#options.maxObjects && !this.#store.get(object.metadata)) {
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

  #listed(revision: string): void {
    this.#removeUnlisted(this.#listing ?? new Set(), revision);
    this.#revision = revision;
    this.#markSynced();
  }

  /** What was written after `revision` by this process cannot be in a list of that revision. */
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
    this.#synced.resolve();
  }

  #report(change: Change<T>): void {
    for (const subscriber of this.#subscribers) subscriber(change);
  }
}
