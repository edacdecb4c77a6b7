import { type Clock, type Logger, messageOf, timeLimit } from "@keelson/base";
import type { Document, Leased, LeasedCollection } from "@keelson/database";
import { HeldLease } from "./held-lease.ts";

export interface IdleLeaseOptions<T extends Document> {
  readonly collection: LeasedCollection<T>;
  readonly document: T;
  readonly owner: string;
  readonly leaseMs: number;
  readonly heartbeatMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Lease on a document that is not queued. It lasts until its disposal. If the document is queued during the lease, workers cannot
 * acquire it before the lease ends.
 */
export interface IdleLease<T extends Document> extends AsyncDisposable {
  /** Document at the time of the lease. */
  readonly leased: Leased<T>;
  readonly held: HeldLease<T>;
}

/** Acquires a lease. Returns undefined if the document is queued, leased by a different owner, or missing. */
export async function acquireIdleLease<T extends Document>(
  options: IdleLeaseOptions<T>,
  signal: AbortSignal,
): Promise<IdleLease<T> | undefined> {
  const { collection, document, owner, leaseMs, heartbeatMs, clock, logger } = options;
  const { partitionKey, id } = document;
  const askedAtMs = clock.monotonicMs();
  const leased = await collection.acquireIdleById({ partitionKey, id, owner, ttlMs: leaseMs, signal });
  if (!leased) return undefined;
  const held = new HeldLease({ ...options, leased, askedAtMs }).start();
  return {
    leased,
    held,
    async [Symbol.asyncDispose]() {
      await held[Symbol.asyncDispose]();
      // After the release, workers can start work that was queued during the lease.
      await collection
        .release(held.lease, { backoffMs: 0, signal: timeLimit(heartbeatMs) })
        .catch((error: unknown) =>
          logger.warn({ documentId: id, error: messageOf(error) }, "a lease could not be released"),
        );
    },
  };
}
