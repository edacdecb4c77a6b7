import { type Clock, sharedResult, timeLimit } from "@keelson/base";

const pingLimitMs = 5_000;
/** Age up to which readiness requests share one ping. Clients without credentials may send them. */
const sharedMs = 1_000;

/**
 * Returns a database ping that all callers within one second share. It rejects if the database does not
 * respond.
 */
export function sharedPing(
  database: { ping(signal: AbortSignal): Promise<void> },
  clock: Clock,
): (signal?: AbortSignal) => Promise<void> {
  return sharedResult({ clock, maxAgeMs: sharedMs, work: () => database.ping(timeLimit(pingLimitMs)) });
}
