import { longestTimerMs, systemClock } from "./clock.ts";
import { maxExtension } from "./on-time-deadline.ts";
import { untilSharedTick } from "./shared-ticks.ts";

/** Reason for stopping a process. `draining`: in-flight work can finish. `abandoned`: in-flight work cannot finish. */
export type StopReason = "draining" | "abandoned";

/**
 * Returns a signal that aborts with `signal`, or after `ms`. Delays of the event loop extend the limit. The reason of the time
 * limit is a `TimeoutError`. The timer does not keep the process running.
 *
 * `AbortSignal.timeout` is not used, because Node.js 24 never frees its signal if a second `AbortSignal.any` depends on the
 * signal (`lib/internal/abort_controller.js`, `gcPersistentSignals`). A caller with its own time limit would leak one signal per
 * request.
 */
export function withTimeout(signal: AbortSignal, ms: number): AbortSignal {
  const limit = new AbortController();
  const either = AbortSignal.any([signal, limit.signal]);
  limitTime(limit, ms, either);
  return either;
}

/**
 * Returns a signal that aborts with a `TimeoutError` after `ms`. See `withTimeout` for the reason why `AbortSignal.timeout` is
 * not used.
 */
export function timeLimit(ms: number): AbortSignal {
  const limit = new AbortController();
  limitTime(limit, ms, limit.signal);
  return limit.signal;
}

/**
 * Aborts `limit` after `ms`. The combined signal `either` has only weak references to its sources, and it evaluates them only
 * when it is read. The timer therefore keeps a reference to `either` and reads it.
 */
function limitTime(limit: AbortController, ms: number, either: AbortSignal): void {
  startTimeLimit(ms, () => {
    limit.abort(new DOMException("The operation was aborted due to timeout", "TimeoutError"));
    return either.aborted;
  });
}

/**
 * Calls `expire` after `ms`, not counting delays of the event loop. Before the call, responses that arrived during such a delay
 * are processed. With all delays, the limit lasts at most ten times as long as `ms`. Limits of 10 s and more are rounded up by at
 * most a tenth and at most 5 s. Disposal cancels the timer. The timer does not keep the process running.
 */
export function startTimeLimit(ms: number, expire: () => void): Disposable {
  const allowedMs = Math.min(Math.max(ms, 0), longestTimerMs);
  let extraMs = maxExtension * allowedMs;
  let lateMs = systemClock.lateMs();
  let isStopped = false;
  const check = () => {
    const nowLateMs = systemClock.lateMs();
    const addedMs = Math.min(nowLateMs - lateMs, extraMs);
    lateMs = nowLateMs;
    extraMs -= addedMs;
    if (addedMs >= negligibleMs) wait(addedMs);
    // `setImmediate` lets the event loop poll for responses before the limit expires.
    else setImmediate(() => isStopped || expire());
  };
  let timer: NodeJS.Timeout;
  const wait = (waitMs: number) => {
    const sharedMs = ms < leastSharedMs ? waitMs : untilSharedTick(waitMs, Math.min(ms / 10, maxTickMs));
    timer = setTimeout(check, Math.min(sharedMs, longestTimerMs)).unref();
  };
  wait(allowedMs);
  return {
    [Symbol.dispose]() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

const negligibleMs = 10;
/**
 * Minimum length, in ms, of limits that are rounded up so that they expire together. Rounding is harmless, because most long
 * limits are disposed long before they expire.
 */
const leastSharedMs = 10_000;
const maxTickMs = 5_000;

/** Resolves when the signal aborts. */
export function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}

/** Returns the result of a promise. If the signal aborts first, throws the signal's reason and ignores the result. */
export async function untilAborted<T>(result: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([promise, result]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
