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

/** `conflict`: the object is not at the expected revision. `durable` resolves once a crash cannot undo the write. */
export type WriteOutcome =
  | { readonly kind: "written"; readonly stored: StoredObject; readonly durable: Promise<void> }
  | { readonly kind: "conflict" };

/** How far back the history goes. */
export interface HistoryWindow {
  readonly events: number;
  readonly bytes: number;
  /** The age of the oldest change that is kept; 0 when there is none. */
  readonly ms: number;
}

export interface StoreDeps {
  readonly journal: Journal;
  readonly commits: GroupCommit;
  readonly cluster: LogRecord;
  /** A clock that never goes back. */
  readonly nowMs: () => number;
  readonly bounds?: HistoryBounds;
  /** What all objects may have together. */
  readonly maxBytes?: number;
  /** The histories of all clusters of the process. */
  readonly histories?: SharedHistory;
}

/** The objects of one resource. */
interface Bucket {
  readonly objects: SortedObjects;
  /** Changes after the compacted revision, in order. */
  readonly events: StoreEvent[];
  readonly watchers: Set<() => void>;
  /** Of the newest change, durable or not. */
  lastRevision: number;
  /** Present once it was asked for. */
  holdings?: Holdings;
}

/** Clusters of one kind start with the same definitions, whose schemas are large. */
function sharingOf(bucket: string): { readonly sharesSpec: boolean } {
  return { sharesSpec: bucket === "apiextensions.k8s.io/customresourcedefinitions" };
}

/** etcd's limit of a request, which kube-apiserver meets with what it stores. */
const maxObjectBytes = 1.5 * 1_024 * 1_024;

/** etcd's database has 2 GiB by default, the history included. */
const defaultMaxBytes = 1_024 * 1_024 * 1_024;

const defaultBounds: HistoryBounds = { events: 50_000, bytes: 128 * 1_024 * 1_024 };

/**
 * The objects of one cluster and their recent changes, under one revision that only grows.
 *
 * A write takes effect at once for the writers after it, and becomes durable a little later: only then it is shown to
 * readers and watchers. What the journal refuses is undone as if it had never been; its revision is not given
 * again.
 */
export class RevisionStore implements ChangeOwner, HistoryKeeper {
  readonly #deps: StoreDeps;
  readonly #buckets = new Map<string, Bucket>();
  readonly #history: History;
  readonly #histories: SharedHistory;
  readonly #listeners = new Set<(event: StoreEvent) => void>();
  /** The newest revision given out. */
  #newest: number;
  #durable: number;
  #compacted: number;
  /** Of all objects, durable or not. */
  #bytes = 0;

  private constructor(deps: StoreDeps) {
    this.#deps = deps;
    this.#histories = deps.histories ?? new SharedHistory();
    this.#history = new History(this.#histories);
    this.#compacted = deps.cluster.compacted;
    this.#newest = Math.max(1, this.#compacted);
    this.#durable = this.#newest;
  }

  /** Reads a cluster back from its journal. @throws CodedError StorageUnusable */
  static async open(deps: StoreDeps): Promise<RevisionStore> {
    const store = new RevisionStore(deps);
    store.#histories.join(store);
    const superseded: number[] = [];
    for await (const records of deps.journal.read(deps.cluster.id)) {
      for (const record of records) store.#replay(record, superseded);
    }
    // What a crash kept the compaction from forgetting.
    if (superseded.length > 0)
      await deps.journal.compact(deps.cluster.id, deps.cluster.compacted, superseded);
    store.#histories.trim();
    return store;
  }

  /** The newest durable revision, which lists show; at least 1, so that a list of nothing has one too. */
  get head(): number {
    return this.#durable;
  }

  /** The last revision that the history no longer has. */
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

  /** How many objects a bucket holds. */
  count(bucket: string): number {
    return this.#buckets.get(bucket)?.objects.size ?? 0;
  }

  /** The object as the next writer finds it: the newest state, durable or not. */
  get(bucket: string, key: string): StoredObject | undefined {
    return this.#buckets.get(bucket)?.objects.get(key);
  }

  /** The object as readers may see it. */
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

  /** The newest revision of any object in the bucket: equal means nothing changed. */
  lastRevision(bucket: string): number {
    return this.#buckets.get(bucket)?.lastRevision ?? 0;
  }

  /** The objects whose keys begin with `prefix` in the order of their keys, as the next writer finds them. */
  range(bucket: string, prefix: string): readonly StoredObject[] {
    return this.#buckets.get(bucket)?.objects.range(prefix) ?? [];
  }

  /** Who holds what in a bucket, kept up with every write; `holdingsOf` is always the same for a bucket. */
  holdings(bucket: string, holdingsOf: HoldingsOf): Holdings {
    const found = this.#bucket(bucket);
    found.holdings ??= new Holdings(holdingsOf, found.objects.range(""));
    return found.holdings;
  }

  /** The objects as of `revision`, which is neither compacted nor after the head, that come after the key `after`. */
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
   * Writes `object` if the key is at revision `expected` (0: absent).
   * @throws StatusError 413 when it is larger than etcd takes, 429 when the cluster's objects are too many
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

  /** Resolves when everything written so far is durable. @throws StatusError 500 when some of it was undone */
  settled(): Promise<void> {
    return this.#deps.commits.settled();
  }

  /** The first durable changes of a bucket after `revision`; `undefined` when some of them are compacted. */
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

  /** Calls `wake` after changes of the bucket became durable. Returns how to stop. */
  subscribe(bucket: string, wake: () => void): () => void {
    const { watchers } = this.#bucket(bucket);
    watchers.add(wake);
    return () => watchers.delete(wake);
  }

  /** Calls `listener` for each change of any bucket that became durable. Returns how to stop. */
  onEvent(listener: (event: StoreEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Forgets the history up to `revision`: older lists and watches get 410 from now on. */
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

  /** Forgets the history that is older than `ms`. */
  async forgetOlderThan(ms: number): Promise<void> {
    await this.compact(this.#history.before(this.#deps.nowMs() - ms));
  }

  forgetHalf(): void {
    this.compact(this.#history.half()).catch(() => undefined);
  }

  /** Leaves the histories of the process: the cluster goes. */
  close(): void {
    this.#histories.leave(this);
    this.#history.release();
  }

  /** A proof that this cluster's storage made `text`, also before a restart. */
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
    // The journal may keep what memory forgets until it is opened again.
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
    // A revision of its own, so that who remembers what was undone notices.
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
