import { allSucceeded } from "@keelson/base";

/** Maximum number of pods that one reconciliation creates or deletes (K/kubernetes pkg/controller, `BurstReplicas`). */
export const burst = 500;
/**
 * Maximum number of concurrent calls. A batch sends all of its requests in one event loop turn, so a larger batch would delay
 * other work.
 */
const largestBatch = 32;

/**
 * Calls `run` for the numbers from 0 to `count`, but at most `burst` times. The batches of concurrent calls grow from 1. After a
 * batch with failures, no further batch starts. Refused pods therefore cause few requests (K/kubernetes pkg/controller,
 * `slowStartBatch`). The changed objects trigger a new reconciliation, which calls this function for the remaining items.
 * @throws the first failure, after all calls of its batch have ended
 */
export async function slowStart(count: number, run: (at: number) => Promise<unknown>): Promise<void> {
  const end = Math.min(count, burst);
  for (let first = 0, size = 1; first < end; first += size, size = Math.min(size * 2, largestBatch)) {
    const length = Math.min(size, end - first);
    await allSucceeded(Array.from({ length }, (_, at) => run(first + at)));
  }
}
