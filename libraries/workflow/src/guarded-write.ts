import { backoffMs, type Clock, isCoded } from "@keelson/base";
import type { LeaseGuard } from "./lease-guard.ts";

export interface GuardedWrite {
  /** Guard of the lease that the write uses. */
  readonly guard: LeaseGuard;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Tries to commit. Returns false if a document has changed since it was read. */
  tryToWrite(): Promise<boolean>;
  /** Reads the documents again after a failed attempt. */
  reload(): Promise<unknown>;
}

const backoff = { attempts: 6, firstMs: 100, factor: 3, maxMs: 10_000, jitter: 0.2 };

/**
 * Writes data that only the lease holder changes. A retry is safe, even if the response to a commit was lost. In that case, the
 * retry fails with a conflict, and the documents are read again.
 * @returns false if the documents changed during every attempt
 * @throws LeaseLost, and errors of `tryToWrite` and `reload`
 */
export async function writeGuarded({
  guard,
  clock,
  signal,
  tryToWrite,
  reload,
}: GuardedWrite): Promise<boolean> {
  for (let attempt = 1; attempt <= backoff.attempts; attempt++) {
    guard.assertHeld();
    try {
      if (await tryToWrite()) return true;
      await reload();
    } catch (error) {
      const passes = isCoded(error) && error.retry === "backoff" && attempt < backoff.attempts;
      if (!passes) throw error;
      await clock.sleep(backoffMs(backoff, attempt), signal);
    }
  }
  return false;
}
