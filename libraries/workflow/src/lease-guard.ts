import type { Lease } from "@keelson/database";

/**
 * Lease from its worker's perspective. `deadline` counts on the worker's monotonic clock from the moment
 * before the renewal was requested, so the lease expires here no later than in the database.
 */
export interface LeaseGuard {
  /** Lease as last renewed. Every write carries it. */
  readonly lease: Lease;
  /** Number of this acquisition since the document entered the queue, starting with 1. */
  readonly attempt: number;
  /** Aborts when the lease is lost or its deadline has passed. */
  readonly signal: AbortSignal;
  /**
   * The fence before every request to the outside world.
   * @throws LeaseLost when the deadline has passed, for example because the process was stopped.
   */
  assertHeld(): void;
}
