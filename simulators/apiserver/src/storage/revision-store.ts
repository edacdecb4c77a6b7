import { createHmac } from "node:crypto";
import { failures, type KubeObject } from "@keelson/apimachinery";
import type { HoldingsOf } from "@keelson/kinds";
import type { ChangeOwner, GroupCommit, Journal, JournalRecord, LogRecord } from "@keelson/sim-store";
import { History } from "./history.ts";
import { Holdings } from "./holdings.ts";
import type { HistoryBounds } from "./shared-history.ts";
import { type HistoryKeeper, SharedHistory } from "./shared-history.ts";
import { copyOf } from "./shared-segments.ts";
import { SortedObjects } from "./sorted-objects.ts";
import { firstAfter, type StoreEvent } from "./store-event.ts";
import { encodeObject, StoredObject } from "./stored-object.ts";

export type { StoreEvent } from "./store-event.ts";

/**
 * Result of a write. `conflict`: the object is not at the expected revision. `durable` resolves when the write would survive a
 * crash.
 */
export type WriteOutcome =
  | { readonly kind: "written"; readonly stored: StoredObject; readonly durable: Promise<void> }
  | { readonly kind: "conflict" };

/** Size and age of the history. */
export interface HistoryWindow {
  readonly events: number;
  readonly bytes: number;
  /** Age of the oldest change in milliseconds. 0 for an empty history. */
  readonly ms: number;
}

export interface StoreDeps {
  readonly journal: Journal;
  readonly commits: GroupCommit;
  readonly cluster: LogRecord;
  /** Monotonic clock. */
  readonly nowMs: () => number;
  readonly bounds?: HistoryBounds;
  /** Maximum total size of all objects in bytes. */
  readonly maxBytes?: number;
  /** History sizes of all clusters in the process. */
  readonly histories?: SharedHistory;
}

/** Objects of one resource. */
interface Bucket {
  readonly objects: SortedObjects;
  /** Changes after the compacted revision, oldest first. */
  readonly events: StoreEvent[];
  readonly watchers: Set<() => void>;
  /** Revision of the newest change, including changes that are not durable yet. */
  lastRevision: number;
  /**
   * Index of the values that only one object in the bucket may have. Undefined before the first call of `RevisionStore.holdings`.
   */
  holdings?: Holdings;
}

/**
 * Returns the storage options of a bucket. CustomResourceDefinitions have large specs that are equal in many clusters, so all
 * clusters share the specs in memory.
 */
function sharingOf(bucket: string): { readonly sharesSpec: boolean } {
  return { sharesSpec: bucket === "apiextensions.k8s.io/customresourcedefinitions" };
}

/** Maximum object size in bytes. The value equals etcd's request limit, which also limits the objects of kube-apiserver. */
const maxObjectBytes = 1.5 * 1_024 * 1_024;

/**
 * Default limit in bytes for all objects of a cluster. The limit is half of etcd's default of 2 GiB, because etcd's limit also
 * covers the history.
 */
const defaultMaxBytes = 1_024 * 1_024 * 1_024;

const defaultBounds: HistoryBounds = { events: 50_000, bytes: 128 * 1_024 * 1_024 };

/**
 * Objects and recent changes of one cluster. All changes share one increasing revision. Writers see a write immediately. Readers
 * and watchers see the write when it is durable. If the journal rejects a write, the write is undone, and its revision is not
 * reused.
 */
export class RevisionStore implements ChangeOwner, HistoryKeeper {
  readonly #deps: StoreDeps;
  readonly #buckets = new Map<string, Bucket>();
  readonly #history: History;
  readonly #histories: SharedHistory;
  readonly #listeners = new Set<(event: StoreEvent) => void>();
  /** Newest assigned revision, durable or not. */
  #newest: number;
  #durable: number;
  #compacted: number;
  /** Total size of all objects in bytes, including writes that are not durable yet. */
  #bytes = 0;

  private constructor(deps: StoreDeps) {
    this.#deps = deps;
    this.#histories = deps.histories ?? new SharedHistory();
    this.#history = new History(this.#histories);
    this.#compacted = deps.cluster.compacted;
    this.#newest = Math.max(1, this.#compacted);
    this.#durable = this.#newest;
  }

  /** Restores a cluster from its journal. @throws CodedError StorageUnusable */
  static async open(deps: StoreDeps): Promise<RevisionStore> {
    const store = new RevisionStore(deps);
    store.#histories.join(store);
    const superseded: number[] = [];
    for await (const records of deps.journal.read(deps.cluster.id)) {
      for (const record of records) store.#replay(record, superseded);
    }
    // Completes a compaction that was interrupted by a crash.
    if (superseded.length > 0)
      await deps.journal.compact(deps.cluster.id, deps.cluster.compacted, superseded);
    store.#histories.trim();
    return store;
  }

  /** Newest durable revision. Lists return this revision. The minimum is 1, because an empty list also needs a revision. */
  get head(): number {
    return this.#durable;
  }

  /** Newest revision, durable or not. */
  get newest(): number {
    return this.#newest;
  }

  /** Last revision that compaction removed from the history. */
  get compacted(): number {
    return this.#compacted;
  }

  get historyWindow(): HistoryWindow {
    const { oldest, count, bytes } = this.#history;
    return { events: count, bytes, ms: oldest ? this.#deps.nowMs() - oldest.atMs : 0 };
  }

  buckets(): readonly string[] {
    return [...this.#buckets.keys()];
  }

  /** Number of objects in a bucket. */
  count(bucket: string): number {
    return this.#buckets.get(bucket)?.objects.size ?? 0;
  }

  /** Newest state of an object, durable or not. */
  get(bucket: string, key: string): StoredObject | undefined {
    return this.#buckets.get(bucket)?.objects.get(key);
  }

  /** Durable state of an object for readers. */
  getDurable(bucket: string, key: string): StoredObject | undefined {
    const found = this.#buckets.get(bucket);
    if (!found) return undefined;
    if (found.lastRevision > this.#durable) {
      const pending = firstAfter(found.events, this.#durable);
      for (let at = pending; at < found.events.length; at++) {
        const event = found.events[at];
        if (event?.current.key === key) return event.previous;
      }
    }
    return found.objects.get(key);
  }

  /** Returns the newest revision in the bucket. If this revision is unchanged, no object of the bucket has changed. */
  lastRevision(bucket: string): number {
    return this.#buckets.get(bucket)?.lastRevision ?? 0;
  }

  /** Returns the first `most` objects with a key prefix, in key order. The result includes writes that are not durable yet. */
  range(bucket: string, prefix: string, most?: number): readonly StoredObject[] {
    return this.#buckets.get(bucket)?.objects.range(prefix, "", most) ?? [];
  }

  /**
   * Returns the index of values that only one object in the bucket may have. The first call creates the index with `holdingsOf`,
   * and every write updates it. Pass the same `holdingsOf` in each call.
   */
  holdings(bucket: string, holdingsOf: HoldingsOf): Holdings {
    const found = this.#bucket(bucket);
    found.holdings ??= new Holdings(holdingsOf, found.objects.range(""));
    return found.holdings;
  }

  /**
   * Returns the objects of a bucket in their state at a revision, starting after the key `after`. The revision must not be
   * compacted, and not be newer than `newest`.
   */
  rangeAt(bucket: string, prefix: string, revision: number, after = ""): readonly StoredObject[] {
    const found = this.#buckets.get(bucket);
    if (!found) return [];
    const current = found.objects.range(prefix, after);
    if (found.lastRevision <= revision) return current;
    const past = new Map<string, StoredObject | undefined>();
    for (const { current: changed, previous } of found.events.slice(firstAfter(found.events, revision))) {
      const { key } = changed;
      if (!past.has(key) && key.startsWith(prefix) && key > after) past.set(key, previous);
    }
    const kept = current.flatMap((stored) =>
      stored.revision <= revision ? stored : (past.get(stored.key) ?? []),
    );
    const gone = [...past.values()].filter((was) => was && !found.objects.get(was.key));
    if (gone.length === 0) return kept;
    return [...kept, ...gone.flatMap((was) => was ?? [])].sort((a, b) => (a.key < b.key ? -1 : 1));
  }

  /**
   * Writes `object` if the key is at revision `expected`. 0 means that no object exists.
   * @throws StatusError 413 above etcd's size limit, 429 above the cluster's limit
   */
  put(bucket: string, key: string, expected: number, object: KubeObject): WriteOutcome {
    const previous = this.get(bucket, key);
    if ((previous?.revision ?? 0) !== expected) return { kind: "conflict" };
    const current = encodeObject(key, this.#newest + 1, object, sharingOf(bucket));
    if (current.size > maxObjectBytes) throw failures.tooLargeToStore();
    const growth = current.size - (previous?.size ?? 0);
    const { maxBytes = defaultMaxBytes } = this.#deps;
    if (growth > 0 && this.#bytes + growth > maxBytes) throw failures.storageFull(maxBytes);
    return this.#write(bucket, false, previous, current);
  }

  /** Deletes the object if it is at revision `expected`. */
  remove(bucket: string, key: string, expected: number): WriteOutcome {
    const previous = this.get(bucket, key);
    if (!previous || previous.revision !== expected) return { kind: "conflict" };
    return this.#write(bucket, true, previous, previous.atRevision(this.#newest + 1));
  }

  /**
   * Resolves when all previous writes are durable.
   * @throws StatusError 500 if the journal rejected some of them
   */
  settled(): Promise<void> {
    return this.#deps.commits.settled();
  }

  /**
   * Returns the first durable changes of a bucket after `revision`. Returns undefined if changes after `revision` may have been
   * compacted.
   */
  eventsAfter(
    bucket: string,
    revision: number,
    most = Number.POSITIVE_INFINITY,
  ): readonly StoreEvent[] | undefined {
    if (revision < this.#compacted) return undefined;
    const found = this.#buckets.get(bucket);
    if (!found || found.lastRevision <= revision) return [];
    const first = firstAfter(found.events, revision);
    return found.events.slice(first, Math.min(first + most, firstAfter(found.events, this.#durable)));
  }

  /** Calls `wake` after changes of the bucket become durable. Returns a function that unsubscribes. */
  subscribe(bucket: string, wake: () => void): () => void {
    const { watchers } = this.#bucket(bucket);
    watchers.add(wake);
    return () => watchers.delete(wake);
  }

  /**
   * Calls `listener` for each durable change of any bucket. An error of a listener affects neither the commit nor other listeners.
   * Returns a function that unsubscribes.
   */
  onEvent(listener: (event: StoreEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Compacts the history up to `revision`. Lists and watches at earlier revisions then fail with 410. */
  async compact(revision: number): Promise<void> {
    const horizon = Math.min(revision, this.#durable);
    if (horizon <= this.#compacted) return;
    this.#compacted = horizon;
    const obsolete: number[] = [];
    for (const { previous, deleted, revision: own } of this.#history.forget(horizon)) {
      if (previous) obsolete.push(previous.revision);
      if (deleted) obsolete.push(own);
    }
    for (const { events } of this.#buckets.values()) events.splice(0, firstAfter(events, horizon));
    const { journal, cluster } = this.#deps;
    await journal.compact(cluster.id, horizon, obsolete);
  }

  /** Compacts changes that are older than `ms` milliseconds. */
  async forgetOlderThan(ms: number): Promise<void> {
    await this.compact(this.#history.before(this.#deps.nowMs() - ms));
  }

  forgetHalf(): void {
    this.compact(this.#history.half()).catch(() => undefined);
  }

  /** Removes this cluster from the shared history. Called when the cluster is deleted or closed. */
  close(): void {
    this.#histories.leave(this);
    this.#history.release();
  }

  /** Returns a message authentication code of `text`. The code is the same after a restart. */
  sign(text: string): string {
    const { journal, cluster } = this.#deps;
    return createHmac("sha256", journal.secret)
      .update(`${cluster.id} ${text}`)
      .digest("base64url")
      .slice(0, 22);
  }

  committed(revision: number): void {
    const first = this.#durable;
    this.#durable = revision;
    const events = this.#history.after(first, revision);
    const { commits } = this.#deps;
    for (const event of events) {
      for (const listener of this.#listeners) commits.isolate(() => listener(event));
    }
    for (const bucket of new Set(events.map((event) => event.bucket))) {
      for (const wake of this.#bucket(bucket).watchers) commits.isolate(wake);
    }
    const excess = this.#history.excess(this.#deps.bounds ?? defaultBounds);
    // If the journal's compaction fails, the next opening of the store repeats it.
    if (excess > 0) this.compact(excess).catch(() => undefined);
    this.#histories.trim();
  }

  undone(revision: number): void {
    const event = this.#history.pop();
    if (event?.revision !== revision) throw new Error(`revision ${revision} is not the newest`);
    const { objects, events, holdings } = this.#bucket(event.bucket);
    events.pop();
    holdings?.replace(event.deleted ? undefined : event.current, event.previous);
    this.#bytes -= growthBy(event);
    if (event.previous) objects.set(event.previous);
    else objects.delete(event.current.key);
    // The new revision invalidates caches that contain the undone state.
    this.#bucket(event.bucket).lastRevision = ++this.#newest;
  }

  #write(
    bucket: string,
    deleted: boolean,
    previous: StoredObject | undefined,
    current: StoredObject,
  ): WriteOutcome {
    const { commits, cluster, nowMs } = this.#deps;
    const { key, revision, bytes } = current;
    this.#newest = revision;
    this.#apply({ revision, bucket, deleted, previous, current, atMs: nowMs() });
    const value = deleted ? undefined : bytes;
    const durable = commits.enqueue({
      record: { log: cluster.id, revision, bucket, key, value },
      owner: this,
    });
    return { kind: "written", stored: current, durable };
  }

  #apply(event: StoreEvent): void {
    const { objects, events, holdings } = this.#bucket(event.bucket);
    holdings?.replace(event.previous, event.deleted ? undefined : event.current);
    this.#bytes += growthBy(event);
    if (event.deleted) objects.delete(event.current.key);
    else objects.set(event.current);
    if (event.revision > this.#compacted) {
      this.#history.push(event);
      events.push(event);
    }
    this.#bucket(event.bucket).lastRevision = event.revision;
  }

  #replay({ revision, bucket, key, value }: JournalRecord, superseded: number[]): void {
    const previous = this.get(bucket, key);
    const current = value
      ? new StoredObject(key, revision, copyOf(value), sharingOf(bucket))
      : previous?.atRevision(revision);
    if (current)
      this.#apply({ revision, bucket, deleted: !value, previous, current, atMs: this.#deps.nowMs() });
    if (revision <= this.#compacted) {
      if (previous) superseded.push(previous.revision);
      if (!value) superseded.push(revision);
    }
    this.#newest = Math.max(this.#newest, revision);
    this.#durable = this.#newest;
  }

  #bucket(name: string): Bucket {
    const found = this.#buckets.get(name);
    if (found) return found;
    const made: Bucket = { objects: new SortedObjects(), events: [], watchers: new Set(), lastRevision: 0 };
    this.#buckets.set(name, made);
    return made;
  }
}

function growthBy({ previous, current, deleted }: StoreEvent): number {
  return (deleted ? 0 : current.size) - (previous?.size ?? 0);
}
