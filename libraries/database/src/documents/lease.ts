import type { Collection, Document, Stored } from "./collection.ts";

/**
 * Exclusive right to work on one document. `generation` increases with every acquisition and never repeats: a
 * write with an old generation, or after the expiry, changes nothing.
 */
export interface Lease {
  readonly collection: string;
  readonly partitionKey: string;
  readonly id: string;
  readonly owner: string;
  readonly generation: number;
  /** Expiry by the database's clock, unless the lease is renewed. */
  readonly expiresAt: Date;
}

export interface Leased<T extends Document> extends Stored<T> {
  readonly lease: Lease;
  /** Number of acquisitions since the document entered the queue, including this one. */
  readonly attempt: number;
}

export interface AcquireOptions {
  readonly owner: string;
  readonly ttlMs: number;
  readonly limit: number;
  /** Maximum number of leased documents per partition of a fair queue. Default: no maximum. */
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
  /** True when the acquisition was no attempt: the document's worker could not even begin. */
  readonly uncounted?: boolean;
  readonly signal: AbortSignal;
}

export type RenewResult = { readonly kind: "renewed"; readonly lease: Lease } | { readonly kind: "lost" };

/** Number of documents that are due and have no worker. Documents in back-off count too. */
export interface QueueLength {
  /** Documents with unfinished work of a stopped worker. The next worker leases them first. */
  readonly begun: number;
  /** All other documents. */
  readonly fresh: number;
}

/** Queue of documents that workers lease, ordered by entry time or due time. */
export interface LeasedCollection<T extends Document> extends Collection<T> {
  /**
   * Leases up to `limit` queued documents that are unleased, due and not in back-off. A document with
   * undecryptable secrets is logged, released unchanged, and not offered again for a minute.
   * A fair queue leases begun documents first. Then each partition gets one document per round, and the
   * partition that has waited longest is first. A release with a back-off moves the partition to the end of
   * the round.
   */
  acquire(options: AcquireOptions): Promise<readonly Leased<T>[]>;
  /**
   * Leases one document that is not queued. It can enter the queue while it is leased, but no worker acquires
   * it from there. Its attempts are not counted. `undefined` if it is queued, leased or removed.
   * @throws EncryptionKeyMissing, SecretTampered
   */
  acquireIdleById(options: AcquireIdleOptions): Promise<Leased<T> | undefined>;
  renew(lease: Lease, ttlMs: number, signal: AbortSignal): Promise<RenewResult>;
  /**
   * Releases a document without a write: a worker can acquire it after `backoffMs`. Does nothing if the lease
   * is lost.
   */
  release(lease: Lease, options: ReleaseOptions): Promise<void>;
  queueLength(signal: AbortSignal): Promise<QueueLength>;
  /**
   * Seconds since the oldest queued document entered the queue, with or without a worker. 0 without any; `undefined` on
   * Cosmos DB.
   */
  oldestQueuedSeconds(signal: AbortSignal): Promise<number | undefined>;
}
