import type { Collection, CollectionDefinition, Document, Stored } from "./collection.ts";
import type { Lease, LeasedCollection } from "./lease.ts";
import type { WriteState } from "./write-state.ts";

export interface NewLease {
  readonly owner: string;
  readonly ttlMs: number;
}

/** One conditional write, or a condition alone. Make them with `create`, `createLeased`, `replace`, `remove` and `unchanged`. */
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

/** Creates a queued document together with the lease of its first worker: nobody can acquire it in between. */
export function createLeased<T extends Document>(
  collection: LeasedCollection<T>,
  document: T,
  lease: NewLease,
): Write {
  return { kind: "create", collection: collection.definition.name, document, lease };
}

/** Replaces what was read; a write since then makes the commit a conflict. */
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
 * A condition that writes nothing: the commit succeeds only if the document is still as it was read. Any number of
 * commits may have the same condition at once.
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
  /** Limit of the queue that the commit adds one document to. */
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
  /** `etags` in the order of the writes; empty text for a removal, the known one for a condition. `leases` are those made by `createLeased`. */
  | { readonly kind: "committed"; readonly etags: readonly string[]; readonly leases?: readonly Lease[] }
  /** Write number `write` met a newer version (`changed`), no document (`absent`), or an existing id (`exists`). */
  | { readonly kind: "conflict"; readonly write: number; readonly reason: "changed" | "absent" | "exists" }
  /** Another document has this value of a unique key. */
  | { readonly kind: "duplicate"; readonly write: number; readonly key: string }
  /** The partition has as many queued documents as `queueLimit` allows. */
  | { readonly kind: "queue-full" }
  | { readonly kind: "lease-lost" };

/** Something changed; `resync` says that changes may have been missed: read again what you cache. */
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

/** A document store. All writes of a commit happen, or none; they lie in one partition. */
export interface Database<D extends Definitions> extends AsyncDisposable {
  readonly collections: Collections<D>;
  commit(partitionKey: string, writes: readonly Write[], options: CommitOptions): Promise<CommitResult>;
  /** Pushed by the database, starting with a `resync`. Ends when the signal aborts. */
  changes(signal: AbortSignal): AsyncIterable<Change>;
  /** State of writes. Stores without a probe always accept them. */
  writes(): WriteState;
  /** Resolves when the database answers; for readiness. */
  ping(signal: AbortSignal): Promise<void>;
}
