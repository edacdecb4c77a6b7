import type { Collection, CollectionDefinition, Document, Stored } from "./collection.ts";
import type { Lease, LeasedCollection } from "./lease.ts";

export interface NewLease {
  readonly owner: string;
  readonly ttlMs: number;
}

/**
 * Conditional write, or a condition alone. The functions `create`, `createLeased`, `replace`, `remove` and
 * `unchanged` create it.
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

/**
 * Creates a queued document together with the lease of its first worker, so that no other worker can acquire
 * it first.
 */
export function createLeased<T extends Document>(
  collection: LeasedCollection<T>,
  document: T,
  lease: NewLease,
): Write {
  return { kind: "create", collection: collection.definition.name, document, lease };
}

/** Replaces the document that was read. A write since that read makes the commit a conflict. */
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
 * Condition without a write: the commit succeeds only if the document has not changed since it was read.
 * Several commits can have the same condition at the same time.
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
  /** The lease under which a worker writes. The commit changes nothing if it was lost. */
  readonly lease?: Lease;
  /** Ends the lease in the same commit. */
  readonly release?: boolean;
  /** Limit of the queue to which the commit adds one document. */
  readonly queueLimit?: QueueLimit;
  readonly signal: AbortSignal;
}

/**
 * Maximum number of queued documents of one partition, running ones included. SQL stores count and write in one
 * transaction, in which commits with a limit on the same partition wait for each other. Cosmos DB counts before it
 * writes: the limit is exact if all these commits have a condition (`unchanged`) on the same document.
 */
export interface QueueLimit {
  readonly collection: string;
  readonly max: number;
}

export type CommitResult =
  /**
   * `etags` are in the order of the writes: an empty string for a removal, the known etag for a condition.
   * `leases` are those of `createLeased`.
   */
  | { readonly kind: "committed"; readonly etags: readonly string[]; readonly leases?: readonly Lease[] }
  /** Write number `write` met a newer version (`changed`), no document (`absent`), or an existing id (`exists`). */
  | { readonly kind: "conflict"; readonly write: number; readonly reason: "changed" | "absent" | "exists" }
  /** A different document has this value of a unique key. */
  | { readonly kind: "duplicate"; readonly write: number; readonly key: string }
  /** The partition has as many queued documents as `queueLimit` allows. */
  | { readonly kind: "queue-full" }
  | { readonly kind: "lease-lost" };

/**
 * Change of a document. `resync` reports that changes were possibly missed: cached documents must be read
 * again.
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

/** Document store. A commit makes all of its writes or none. They are in one partition. */
export interface Database<D extends Definitions> extends AsyncDisposable {
  readonly collections: Collections<D>;
  commit(partitionKey: string, writes: readonly Write[], options: CommitOptions): Promise<CommitResult>;
  /** Pushed by the database, starting with a `resync`. Ends when the signal aborts. */
  changes(signal: AbortSignal): AsyncIterable<Change>;
  /** Resolves if the database responds. Used for readiness. */
  ping(signal: AbortSignal): Promise<void>;
}
