import { createHmac } from "node:crypto";
import { failures, type KubeObject } from "@keelson/apimachinery";
import type { HoldingsOf } from "@keelson/kinds";
import type { ChangeOwner, GroupCommit, Journal, JournalRecord, LogRecord } from "@keelson/sim-store";
import { History } from "./history.ts";
import { Holdings } from "./holdings.ts";
import type { HistoryBounds } from "./shared-history.ts";
import { type HistoryKeeper, SharedHistory } from "./shared-history.ts";
import { SortedObjects } from "./sorted-objects.ts";
import { firstAfter, type StoreEvent } from "./store-event.ts";
import { encodeObject, StoredObject } from "./stored-object.ts";

export type { StoreEvent } from "./store-event.ts";

/**
 * `conflict`: the object is not at the expected revision. `durable` resolves when the write survives a crash.
 */
export type WriteOutcome =
  | { readonly kind: "written"; readonly stored: StoredObject; readonly durable: Promise<void> }
  | { readonly kind: "conflict" };

/** Extent of the history. */
export interface HistoryWindow {
  readonly events: number;
  readonly bytes: number;
  /** Age of the oldest change. 0 for an empty history. */
  readonly ms: number;
}

export interface StoreDeps {
  readonly journal: Journal;
  readonly commits: GroupCommit;
  readonly cluster: LogRecord;
  /** Monotonic clock. */
  readonly nowMs: () => number;
  readonly bounds?: HistoryBounds;
  /** Size limit of all objects together. */
  readonly maxBytes?: number;
  /** Shared histories of all clusters in the process. */
  readonly histories?: SharedHistory;
}

/** Objects of one resource. */
interface Bucket {
  readonly objects: SortedObjects;
  /** Changes after the compacted revision, in order. */
  readonly events: StoreEvent[];
  readonly watchers: Set<() => void>;
  /** Revision of the newest change, durable or not. */
  lastRevision: number;
  /** Created on first use. */
  holdings?: Holdings;
}

/** Specs of CustomResourceDefinitions are large and equal in many clusters, so they are shared in memory. */
function sharingOf(bucket: string): { readonly sharesSpec: boolean } {
  return { sharesSpec: bucket === "apiextensions.k8s.io/customresourcedefinitions" };
}

/** Request size limit of etcd, which applies to objects that kube-apiserver stores. */
const maxObjectBytes = 1.5 * 1_024 * 1_024;

/** Half of etcd's default limit of 2 GiB, which includes the history. */
const defaultMaxBytes = 1_024 * 1_024 * 1_024;

const defaultBounds: HistoryBounds = { events: 50_000, bytes: 128 * 1_024 * 1_024 };

/**
 * Objects and recent changes of one cluster under one increasing revision. Writers see a write immediately,
 * readers and watchers when it is durable. Writes that the journal rejects are undone. Their revisions are
 * not reused.
 */
export class RevisionStore implements ChangeOwner, HistoryKeeper {
  readonly #deps: StoreDeps;
  readonly #buckets = new Map<string, Bucket>();
  readonly #history: History;
  readonly #histories: SharedHistory;
  readonly #listeners = new Set<(event: StoreEvent) => void>();
  /** The newest assigned revision. */
  #newest: number;
  #durable: number;
  #compacted: number;
  /** Size of all objects, durable or not. */
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
    // Completes a compaction that a crash interrupted.
    if (superseded.length > 0)
      await deps.journal.compact(deps.cluster.id, deps.cluster.compacted, superseded);
    store.#histories.trim();
    return store;
  }

  /**
   * The newest durable revision, which lists return. At least 1, because an empty list also needs a revision.
   */
  get head(): number {
    return this.#durable;
  }

  /** The newest revision that is not in the history. */
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

  /** The newest revision in the bucket. An equal value means that nothing changed. */
  lastRevision(bucket: string): number {
    return this.#buckets.get(bucket)?.lastRevision ?? 0;
  }

  /** Objects with a key prefix in key order, including writes that are not durable yet. */
  range(bucket: string, prefix: string): readonly StoredObject[] {
    return this.#buckets.get(bucket)?.objects.range(prefix) ?? [];
  }

  /**
   * Index of exclusive values in a bucket, updated with every write. `holdingsOf` must be the same for each
   * call.
   */
  holdings(bucket: string, holdingsOf: HoldingsOf): Holdings {
    const found = this.#bucket(bucket);
    found.holdings ??= new Holdings(holdingsOf, found.objects.range(""));
    return found.holdings;
  }

  /** Objects after the key `after` at `revision`, which must be neither compacted nor later than the head. */
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
   * Writes `object` if the key is at revision `expected` (0: no object).
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

  /** Resolves when all previous writes are durable. @throws StatusError 500 if some of them were undone */
  settled(): Promise<void> {
    return this.#deps.commits.settled();
  }

  /** The first durable changes of a bucket after `revision`. Undefined if some of them are compacted. */
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

  /** Calls `listener` for each durable change of any bucket. Returns a function that unsubscribes. */
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

  /** Compacts history older than `ms`. */
  async forgetOlderThan(ms: number): Promise<void> {
    await this.compact(this.#history.before(this.#deps.nowMs() - ms));
  }

  forgetHalf(): void {
    this.compact(this.#history.half()).catch(() => undefined);
  }

  /** Leaves the shared history of the process when the cluster is deleted or closed. */
  close(): void {
    this.#histories.leave(this);
    this.#history.release();
  }

  /** Message authentication code of `text`, stable across restarts. */
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
    for (const event of events) for (const listener of this.#listeners) listener(event);
    for (const bucket of new Set(events.map((event) => event.bucket))) {
      for (const wake of this.#bucket(bucket).watchers) wake();
    }
    const excess = this.#history.excess(this.#deps.bounds ?? defaultBounds);
    // If the journal's compaction fails, it is repeated when the store is opened again.
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
    // A new revision invalidates caches of the undone state.
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
      ? new StoredObject(key, revision, Buffer.from(value), sharingOf(bucket))
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
