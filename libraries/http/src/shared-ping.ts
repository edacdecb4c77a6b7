import { type Clock, sharedResult, timeLimit } from "@keelson/base";

const pingLimitMs = 5_000;
/**
 * Maximum age in ms of a ping that readiness requests share. Sharing limits the load on the database, because clients without
 * credentials may send many readiness requests.
 */
const sharedMs = 1_000;

/** Returns a function that pings the database. Calls within one second share a ping. Rejects if the database does not respond. */
export function sharedPing(
  database: { ping(signal: AbortSignal): Promise<void> },
  clock: Clock,
): (signal?: AbortSignal) => Promise<void> {
  return sharedResult({ clock, maxAgeMs: sharedMs, work: () => database.ping(timeLimit(pingLimitMs)) });
}
