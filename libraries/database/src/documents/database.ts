import type { Collection, CollectionDefinition, Document, Stored } from "./collection.ts";
import type { Lease, LeasedCollection } from "./lease.ts";
import type { FirstProbe, WriteState } from "./write-state.ts";

export interface NewLease {
  readonly owner: string;
  readonly ttlMs: number;
}

/**
 * Conditional write, or a condition without a write. Created by the functions `create`, `createLeased`, `replace`, `remove` and
 * `unchanged`.
 */
export type Write =
  | {
      readonly kind: "create";
      readonly collection: string;
      readonly document: Document;
      readonly lease?: NewLease;
    }
  | {
      readonly kind: "replace";
      readonly collection: string;
      readonly document: Document;
      readonly etag: string;
    }
  | { readonly kind: "remove"; readonly collection: string; readonly id: string; readonly etag: string }
  | { readonly kind: "unchanged"; readonly collection: string; readonly id: string; readonly etag: string };

export function create<T extends Document>(collection: Collection<T>, document: T): Write {
  return { kind: "create", collection: collection.definition.name, document };
}

/** Creates a queued document with the lease of its first worker, so that no other worker can acquire it first. */
export function createLeased<T extends Document>(
  collection: LeasedCollection<T>,
  document: T,
  lease: NewLease,
): Write {
  return { kind: "create", collection: collection.definition.name, document, lease };
}

/** Replaces the document that was read. The commit returns a conflict if the document was written since that read. */
export function replace<T extends Document>(
  collection: Collection<T>,
  stored: Stored<T>,
  document: T,
): Write {
  return { kind: "replace", collection: collection.definition.name, document, etag: stored.etag };
}

export function remove<T extends Document>(collection: Collection<T>, stored: Stored<T>): Write {
  return {
    kind: "remove",
    collection: collection.definition.name,
    id: stored.document.id,
    etag: stored.etag,
  };
}

/**
 * Condition without a write. The commit succeeds only if the document has not changed since it was read. Concurrent commits can
 * have the same condition.
 */
export function unchanged<T extends Document>(collection: LeasedCollection<T>, stored: Stored<T>): Write {
  return {
    kind: "unchanged",
    collection: collection.definition.name,
    id: stored.document.id,
    etag: stored.etag,
  };
}

export interface CommitOptions {
  /** Lease of the writing worker. If the lease was lost, the commit writes nothing. */
  readonly lease?: Lease;
  /** True to release the lease in the same commit. */
  readonly release?: boolean;
  /** Maximum length of the queue to which the commit adds one document. */
  readonly queueLimit?: QueueLimit;
  readonly signal: AbortSignal;
}

/**
 * Maximum number of queued documents of one partition, including running ones. A SQL store counts the documents in the
 * transaction that also writes. Commits with a limit on the same partition therefore wait for each other. Cosmos DB counts before
 * it writes. In Cosmos DB, the limit is exact only if all commits with a limit have a condition (`unchanged`) on the same
 * document.
 */
export interface QueueLimit {
  readonly collection: string;
  readonly max: number;
}

export type CommitResult =
  /**
   * `etags` has one entry per write: the new etag, an empty string for a removal, or the unchanged etag for a condition. `leases`
   * contains the leases of `createLeased`.
   */
  | { readonly kind: "committed"; readonly etags: readonly string[]; readonly leases?: readonly Lease[] }
  /**
   * `write` is the index of the write that failed. It found a newer version (`changed`), no document (`absent`), or an existing
   * ID (`exists`).
   */
  | { readonly kind: "conflict"; readonly write: number; readonly reason: "changed" | "absent" | "exists" }
  /** A different document already has the value of this unique key. */
  | { readonly kind: "duplicate"; readonly write: number; readonly key: string }
  /** The queue of the partition is full according to `queueLimit`. */
  | { readonly kind: "queue-full" }
  | { readonly kind: "lease-lost" };

/**
 * Change of a document. `resync` reports that changes may have been missed. Subscribers must then read cached documents again.
 */
export type Change =
  | {
      readonly kind: "changed";
      readonly collection: string;
      readonly partitionKey: string;
      readonly id: string;
    }
  | { readonly kind: "resync" };

// biome-ignore lint/suspicious/noExplicitAny: definitions of unrelated document types share a record
export type Definitions = Readonly<Record<string, CollectionDefinition<any>>>;

type CollectionOf<Definition> =
  Definition extends CollectionDefinition<infer T>
    ? Definition extends { readonly queued: unknown }
      ? LeasedCollection<T>
      : Collection<T>
    : never;

export type Collections<D extends Definitions> = { readonly [Name in keyof D]: CollectionOf<D[Name]> };

/** Document store. A commit applies all of its writes or none. All writes are in one partition. */
export interface Database<D extends Definitions> extends AsyncDisposable {
  readonly collections: Collections<D>;
  commit(partitionKey: string, writes: readonly Write[], options: CommitOptions): Promise<CommitResult>;
  /** Yields the changes that the database pushes. The first change is a `resync`. The iteration ends when the signal aborts. */
  changes(signal: AbortSignal): AsyncIterable<Change>;
  /** Returns the result of the last write probe. Stores without a probe always accept writes. */
  writes(): WriteState;
  /** Returns the result of the first write probe. Resolves to `undefined` for stores without a probe. */
  firstProbe(): Promise<FirstProbe | undefined>;
  /** Resolves if the database responds. Used for readiness probes. */
  ping(signal: AbortSignal): Promise<void>;
}
