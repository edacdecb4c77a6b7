import { type Clock, onTimeDeadline } from "@keelson/base";

/** Maximum real time in ms between two reads of the clock. */
const longestReadingMs = 200;
const shortestReadingMs = 5;

export interface ClockLimit extends Disposable {
  /** Aborts with a `TimeoutError` when the time limit is exceeded. */
  readonly signal: AbortSignal;
}

/**
 * Starts a time limit on `clock`. Disposal cancels the limit. The limit polls the clock, so that it also expires when a test
 * advances the clock. Event loop delays extend the limit to at most twice its length.
 */
export function clockLimit(clock: Clock, ms: number): ClockLimit {
  const limit = new AbortController();
  const isOver = onTimeDeadline(clock, ms, ms);
  const readingMs = Math.min(longestReadingMs, Math.max(shortestReadingMs, ms / 10));
  const timer = setInterval(() => {
    if (!isOver()) return;
    clearInterval(timer);
    limit.abort(new DOMException("The operation was aborted due to timeout", "TimeoutError"));
  }, readingMs).unref();
  return { signal: limit.signal, [Symbol.dispose]: () => clearInterval(timer) };
}
