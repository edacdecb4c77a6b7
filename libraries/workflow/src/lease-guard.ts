import type { Lease } from "@keelson/database";

/**
 * Lease as seen by its worker. Its deadline is on the worker's monotonic clock, measured from the moment before the renewal was
 * requested. The lease therefore never expires later here than in the database.
 */
export interface LeaseGuard {
  /** Lease after its last renewal. Every write uses it. */
  readonly lease: Lease;
  /** Number of this acquisition since the document entered the queue. The first is 1. */
  readonly attempt: number;
  /** Aborts when the lease is lost or its deadline has passed. */
  readonly signal: AbortSignal;
  /**
   * Call it before every external request.
   * @throws LeaseLost if the deadline has passed, for example because the process was suspended
   */
  assertHeld(): void;
}
