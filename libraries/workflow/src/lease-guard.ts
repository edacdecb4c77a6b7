import type { Lease } from "@keelson/database";

/**
 * A lease as its worker sees it. `deadline` counts on the worker's own monotonic clock from the moment
 * before the renewal was asked for, so it is over here no later than the database gives the lease away.
 */
export interface LeaseGuard {
  /** As last renewed; every write carries it. */
  readonly lease: Lease;
  /** Which acquisition this is since the document entered the queue, from 1. */
  readonly attempt: number;
  /** Aborts when the lease is lost or its deadline has passed. */
  readonly signal: AbortSignal;
  /**
   * The fence before every request to the outside world.
   * @throws LeaseLost when the deadline has passed, for example because the process was stopped.
   */
  assertHeld(): void;
}
