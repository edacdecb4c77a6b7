import { type Clock, sharedResult, timeLimit } from "@keelson/base";

const pingLimitMs = 5_000;
/** Age up to which all requests for the readiness share one ping. Clients without credentials may send them. */
const sharedMs = 1_000;

/** Returns a ping of the database that all callers of one second share. It rejects if the database does not respond. */
export function sharedPing(
  database: { ping(signal: AbortSignal): Promise<void> },
  clock: Clock,
): (signal?: AbortSignal) => Promise<void> {
  return sharedResult({ clock, maxAgeMs: sharedMs, work: () => database.ping(timeLimit(pingLimitMs)) });
}
