import type { Collection, Document, Stored } from "./collection.ts";

/**
 * The right to work on one document. `generation` rises with every acquisition and never repeats:
 * a write that carries an old generation, or comes after the expiry, changes nothing.
 */
export interface Lease {
  readonly collection: string;
  readonly partitionKey: string;
  readonly id: string;
  readonly owner: string;
  readonly generation: number;
  /** When the database takes the lease away unless renewed, on its own clock. */
  readonly expiresAt: Date;
}

export interface Leased<T extends Document> extends Stored<T> {
  readonly lease: Lease;
  /** How often the document was acquired since it entered the queue, this time included. */
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

/** One document by name. */
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
  /** Documents whose worker stopped in the middle of its work. The next worker takes them first. */
  readonly begun: number;
  /** All others. */
  readonly fresh: number;
}

/** A collection whose documents workers lease, in the order in which they entered the queue, or are due. */
export interface LeasedCollection<T extends Document> extends Collection<T> {
  /**
   * Takes up to `limit` queued documents that are due, that nobody holds and whose back-off is over. One whose secrets cannot be
   * opened is logged, put back unchanged, and not offered again for a minute.
   *
   * A fair queue leases begun documents first. Then each partition gets one document per round, and the partition that
   * waits longest is first. A document that goes back with a back-off sends its partition to the end of the round.
   */
  acquire(options: AcquireOptions): Promise<readonly Leased<T>[]>;
  /**
   * Takes one document that is not queued, if nobody holds it: while it is held, it may enter the queue, but nobody
   * gets it from there. Its attempts are not counted. `undefined` when it is queued, held or gone.
   * @throws EncryptionKeyMissing, SecretTampered
   */
  acquireIdleById(options: AcquireIdleOptions): Promise<Leased<T> | undefined>;
  renew(lease: Lease, ttlMs: number, signal: AbortSignal): Promise<RenewResult>;
  /** Gives a document back without a write: another worker may take it after `backoffMs`. A no-op if lost. */
  release(lease: Lease, options: ReleaseOptions): Promise<void>;
  queueLength(signal: AbortSignal): Promise<QueueLength>;
  /**
   * Seconds since the oldest queued document entered the queue, with or without a worker. 0 without any; `undefined` on
   * Cosmos DB.
   */
  oldestQueuedSeconds(signal: AbortSignal): Promise<number | undefined>;
}
