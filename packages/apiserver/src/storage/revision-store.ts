import type { KubeObject } from "../kube-object.ts";
import type { GroupCommit } from "./group-commit.ts";
import type { ClusterRecord, Journal } from "./journal.ts";
import { SortedKeys } from "./sorted-keys.ts";
import { encodeObject, StoredObject } from "./stored-object.ts";

/** One change of one object. For a deletion `current` is the last state under the deletion's revision. */
export interface StoreEvent {
  readonly revision: number;
  readonly bucket: string;
  readonly deleted: boolean;
  readonly previous: StoredObject | undefined;
  readonly current: StoredObject;
}

/** `conflict`: the object is not at the expected revision. `durable` resolves once a crash cannot undo the write. */
export type WriteOutcome =
  | { readonly kind: "written"; readonly stored: StoredObject; readonly durable: Promise<void> }
  | { readonly kind: "conflict" };

/** The objects of one resource. */
interface Bucket {
  readonly current: Map<string, StoredObject>;
  readonly keys: SortedKeys;
  /** Changes after the compacted revision, in order. */
  readonly events: StoreEvent[];
  readonly watchers: Set<() => void>;
  lastRevision: number;
}

/** More changes than these are never kept: the oldest go, and who still asks for them gets 410. */
const maxEvents = 50_000;

/**
 * The objects of one cluster: the current ones by key, and the recent changes, under one revision that only grows.
 * Writes take effect at once and are durable a little later; events reach watchers when they are durable.
 */
export class RevisionStore {
  readonly #journal: Journal;
  readonly #commits: GroupCommit;
  readonly #cluster: number;
  readonly #buckets = new Map<string, Bucket>();
  readonly #listeners = new Set<(event: StoreEvent) => void>();
  #head: number;
  #mark = 0;
  #durable: number;
  #compacted: number;

  constructor(journal: Journal, commits: GroupCommit, cluster: ClusterRecord) {
    this.#journal = journal;
    this.#commits = commits;
    this.#cluster = cluster.id;
    this.#compacted = cluster.compacted;
    this.#head = Math.max(1, cluster.compacted);
    for (const { revision, bucket, key, value } of journal.read(cluster.id)) {
      const previous = this.#bucket(bucket).current.get(key);
      const stored = value
        ? new StoredObject(key, revision, Buffer.from(value))
        : previous?.atRevision(revision);
      if (stored) this.#apply({ revision, bucket, deleted: !value, previous, current: stored });
      this.#head = Math.max(this.#head, revision);
    }
    this.#durable = this.#head;
  }

  /** The newest revision; at least 1, so that a list of nothing has one too. */
  get head(): number {
    return this.#head;
  }

  /** The newest revision that a crash cannot undo. */
  get durable(): number {
    return this.#durable;
  }

  /** The last revision of which the history no longer tells. */
  get compacted(): number {
    return this.#compacted;
  }

  buckets(): readonly string[] {
    return [...this.#buckets.keys()];
  }

  get(bucket: string, key: string): StoredObject | undefined {
    return this.#buckets.get(bucket)?.current.get(key);
  }

  /** The newest revision of any object in the bucket: equal means nothing changed. */
  lastRevision(bucket: string): number {
    return this.#buckets.get(bucket)?.lastRevision ?? 0;
  }

  /** The objects whose keys begin with `prefix`, in the order of their keys. */
  range(bucket: string, prefix: string): readonly StoredObject[] {
    const found = this.#buckets.get(bucket);
    if (!found) return [];
    return found.keys.withPrefix(prefix).flatMap((key) => found.current.get(key) ?? []);
  }

  /** The same as of `revision`, which is neither compacted nor in the future. */
  rangeAt(bucket: string, prefix: string, revision: number): readonly StoredObject[] {
    const found = this.#buckets.get(bucket);
    if (!found || found.lastRevision <= revision) return this.range(bucket, prefix);
    const past = new Map<string, StoredObject | undefined>();
    for (const event of found.events.slice(firstAfter(found.events, revision)).toReversed()) {
      if (event.current.key.startsWith(prefix)) past.set(event.current.key, event.previous);
    }
    const unchanged = this.range(bucket, prefix).filter((stored) => !past.has(stored.key));
    const changed = [...past.values()].filter((stored) => stored !== undefined);
    return [...unchanged, ...changed].sort((a, b) => (a.key < b.key ? -1 : 1));
  }

  /** Writes `object` if the key is at revision `expected` (0: absent). */
  put(bucket: string, key: string, expected: number, object: KubeObject): WriteOutcome {
    const previous = this.get(bucket, key);
    if ((previous?.revision ?? 0) !== expected) return { kind: "conflict" };
    const revision = this.#head + 1;
    return this.#write({
      revision,
      bucket,
      deleted: false,
      previous,
      current: encodeObject(key, revision, object),
    });
  }

  /** Deletes the object if it is at revision `expected`. */
  remove(bucket: string, key: string, expected: number): WriteOutcome {
    const previous = this.get(bucket, key);
    if (!previous || previous.revision !== expected) return { kind: "conflict" };
    const revision = this.#head + 1;
    return this.#write({ revision, bucket, deleted: true, previous, current: previous.atRevision(revision) });
  }

  /** Resolves when all that can be read now is durable. */
  settled(): Promise<void> {
    return this.#commits.settled();
  }

  /** The durable changes of a bucket after `revision`; `undefined` when some of them are compacted. */
  eventsAfter(bucket: string, revision: number): readonly StoreEvent[] | undefined {
    if (revision < this.#compacted) return undefined;
    const found = this.#buckets.get(bucket);
    if (!found || found.lastRevision <= revision) return [];
    return found.events.slice(firstAfter(found.events, revision), firstAfter(found.events, this.#durable));
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
  compact(revision: number): void {
    const horizon = Math.min(revision, this.#durable);
    if (horizon <= this.#compacted) return;
    const obsolete: number[] = [];
    for (const { events } of this.#buckets.values()) {
      for (const { previous, deleted, revision: own } of events.splice(0, firstAfter(events, horizon))) {
        if (previous) obsolete.push(previous.revision);
        if (deleted) obsolete.push(own);
      }
    }
    this.#compacted = horizon;
    this.#journal.compact(this.#cluster, horizon, obsolete);
  }

  /** Forgets the history up to where the previous call found it: what is younger than one interval of calls stays. */
  forgetBeforeLastMark(): void {
    this.compact(this.#mark);
    this.#mark = this.#durable;
  }

  #write(event: StoreEvent): WriteOutcome {
    this.#head = event.revision;
    this.#apply(event);
    const { revision, bucket, deleted, current } = event;
    const value = deleted ? undefined : current.bytes;
    const durable = this.#commits.enqueue({
      record: { cluster: this.#cluster, revision, bucket, key: current.key, value },
      committed: () => this.#committed(event),
      undone: () => this.#undo(event),
    });
    return { kind: "written", stored: current, durable };
  }

  #committed(event: StoreEvent): void {
    this.#durable = event.revision;
    for (const listener of this.#listeners) listener(event);
    for (const wake of this.#bucket(event.bucket).watchers) wake();
    if (event.revision - this.#compacted > maxEvents * 1.2) this.compact(event.revision - maxEvents);
  }

  #apply(event: StoreEvent): void {
    const bucket = this.#bucket(event.bucket);
    const { key } = event.current;
    if (event.deleted) {
      bucket.current.delete(key);
      bucket.keys.delete(key);
    } else {
      bucket.current.set(key, event.current);
      if (!event.previous) bucket.keys.add(key);
    }
    if (event.revision > this.#compacted) bucket.events.push(event);
    bucket.lastRevision = event.revision;
  }

  #undo({ bucket: name, previous, current }: StoreEvent): void {
    const bucket = this.#bucket(name);
    bucket.events.pop();
    if (previous) {
      bucket.current.set(previous.key, previous);
      bucket.keys.add(previous.key);
    } else {
      bucket.current.delete(current.key);
      bucket.keys.delete(current.key);
    }
  }

  #bucket(name: string): Bucket {
    const found = this.#buckets.get(name);
    if (found) return found;
    const made: Bucket = {
      current: new Map(),
      keys: new SortedKeys(),
      events: [],
      watchers: new Set(),
      lastRevision: 0,
    };
    this.#buckets.set(name, made);
    return made;
  }
}

/** The index of the first event after `revision`. */
function firstAfter(events: readonly StoreEvent[], revision: number): number {
  let low = 0;
  let high = events.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((events[middle]?.revision ?? 0) <= revision) low = middle + 1;
    else high = middle;
  }
  return low;
}
