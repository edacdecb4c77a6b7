import { untilAborted } from "./abort.ts";
import type { Clock } from "./clock.ts";

export interface SharedResultOptions<T> {
  readonly clock: Clock;
  /** Maximum age of a reused result, in ms. */
  readonly maxAgeMs: number;
  /** Produces the result. It must have a time limit, because the signal of one caller does not abort it. */
  readonly work: () => Promise<T>;
}

/**
 * Returns a function that shares the result of `work` between all callers. `work` never runs concurrently, and at most once per
 * `maxAgeMs`. All callers get the same result or rejection. If a caller's signal aborts, only this caller stops waiting.
 */
export function sharedResult<T>({
  clock,
  maxAgeMs,
  work,
}: SharedResultOptions<T>): (signal?: AbortSignal) => Promise<T> {
  let current: { readonly result: Promise<T>; settledMs: number | undefined } | undefined;
  return (signal) => {
    const isFresh =
      current !== undefined &&
      (current.settledMs === undefined || clock.monotonicMs() - current.settledMs < maxAgeMs);
    if (!current || !isFresh) {
      const started = { result: work(), settledMs: undefined as number | undefined };
      const settled = () => {
        started.settledMs = clock.monotonicMs();
      };
      started.result.then(settled, settled);
      current = started;
    }
    return signal ? untilAborted(current.result, signal) : current.result;
  };
}
