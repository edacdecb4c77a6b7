import type { Lease } from "@keelson/database";

/**
 * Lease as its worker sees it. The deadline is on the worker's monotonic clock, counted from a moment before the worker requested
 * the renewal. The worker therefore never treats the lease as valid longer than the database does.
 */
export interface LeaseGuard {
  /** Lease after its last renewal. Every write uses it. */
  readonly lease: Lease;
  /**
   * Number of acquisitions since the document entered the queue, including the current acquisition. The first acquisition is 1.
   */
  readonly attempt: number;
  /**
   * Numbers of earlier attempts that ended because this process lost the lease without a fault of the operation. They do not
   * count as attempts without progress.
   */
  readonly survivedLosses: readonly number[];
  /** Aborts when the lease is lost or its deadline has passed. */
  readonly signal: AbortSignal;
  /**
   * Call it before every external request.
   * @throws LeaseLost if the deadline has passed, for example because the process was suspended
   */
  assertHeld(): void;
}
