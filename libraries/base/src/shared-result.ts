import { untilAborted } from "./abort.ts";
import type { Clock } from "./clock.ts";

export interface SharedResultOptions<T> {
  readonly clock: Clock;
  /** Age up to which a result is returned again. */
  readonly maxAgeMs: number;
  /** Must limit its own time, because the signal of a single caller does not abort it. */
  readonly work: () => Promise<T>;
}

/**
 * Returns a function that shares the result of `work` between all callers. `work` runs at most once at a time
 * and once per `maxAgeMs`. All callers get the same result or rejection. A caller with a signal stops waiting
 * when it aborts.
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
