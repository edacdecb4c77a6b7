import type { Collection, Document, Stored } from "./collection.ts";

/**
 * Exclusive right to process one document. `generation` increases with every acquisition and never repeats. A write with an old
 * generation or an expired lease changes nothing.
 */
export interface Lease {
  readonly collection: string;
  readonly partitionKey: string;
  readonly id: string;
  readonly owner: string;
  readonly generation: number;
  /** Expiry by the database's clock. Heartbeats extend it. */
  readonly expiresAt: Date;
}

export interface Leased<T extends Document> extends Stored<T> {
  readonly lease: Lease;
  /** Number of acquisitions since the document entered the queue, including the current one. */
  readonly attempt: number;
}

export interface AcquireOptions {
  readonly owner: string;
  readonly ttlMs: number;
  readonly limit: number;
  /** Maximum number of leased documents per partition of a fair queue. Default: unlimited. */
  readonly maxRunning?: number;
  readonly signal: AbortSignal;
}

/** Options of an acquisition by ID. */
export interface AcquireIdleOptions {
  readonly partitionKey: string;
  readonly id: string;
  readonly owner: string;
  readonly ttlMs: number;
  readonly signal: AbortSignal;
}

export interface ReleaseOptions {
  readonly backoffMs: number;
  /** True if the acquisition must not count as an attempt, because the worker could not start its work on the document. */
  readonly uncounted?: boolean;
  readonly signal: AbortSignal;
}

export type RenewResult = { readonly kind: "renewed"; readonly lease: Lease } | { readonly kind: "lost" };

/** Number of due documents without a worker. Documents in backoff count too. */
export interface QueueLength {
  /** Documents with work that a stopped worker did not finish. They are leased first. */
  readonly begun: number;
  /** Waiting documents without unfinished work. */
  readonly fresh: number;
}

/** Queue of documents that workers lease, ordered by entry time or due time. */
export interface LeasedCollection<T extends Document> extends Collection<T> {
  /**
   * Leases up to `limit` queued documents that are unleased, due and not in backoff. A document with secrets that cannot be
   * decrypted is logged, released and skipped for a minute.
   * A fair queue first leases documents with unfinished work. After that, it leases one document from each partition in turn,
   * starting with the partition that has waited longest. It repeats this until `limit` is reached. When a document is released
   * with a backoff, its partition becomes the last in this order.
   */
  acquire(options: AcquireOptions): Promise<readonly Leased<T>[]>;
  /**
   * Leases one document that is not queued. A leased document can enter the queue, but workers do not acquire it before the
   * release. Attempts are not counted. Returns `undefined` if the document is queued, leased or removed.
   * @throws EncryptionKeyMissing, SecretTampered
   */
  acquireIdleById(options: AcquireIdleOptions): Promise<Leased<T> | undefined>;
  renew(lease: Lease, ttlMs: number, signal: AbortSignal): Promise<RenewResult>;
  /** Releases a document without a write. A worker can acquire it after `backoffMs`. Does nothing if the lease is lost. */
  release(lease: Lease, options: ReleaseOptions): Promise<void>;
  queueLength(signal: AbortSignal): Promise<QueueLength>;
  /**
   * Returns the age in seconds of the oldest queued document, with or without a worker. 0 if the queue is empty. `undefined` on
   * Cosmos DB.
   */
  oldestQueuedSeconds(signal: AbortSignal): Promise<number | undefined>;
}
