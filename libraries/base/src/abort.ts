import { longestTimerMs, systemClock } from "./clock.ts";
import { maxExtension } from "./on-time-deadline.ts";
import { untilSharedTick } from "./shared-ticks.ts";

/** Why a process stops: `draining` lets work in flight end, `abandoned` does not. */
export type StopReason = "draining" | "abandoned";

/**
 * `signal`, or a time-out after `ms` in which the event loop was on time, whichever comes first. The time-out's reason is a `TimeoutError`. It keeps no process from its end.
 *
 * Not made of `AbortSignal.timeout`: Node.js 24 never frees a signal with one behind it that another call of `AbortSignal.any` was given
 * (`lib/internal/abort_controller.js`, `gcPersistentSignals`), so that each request whose caller has a time limit too would leave one
 * for ever.
 */
export function withTimeout(signal: AbortSignal, ms: number): AbortSignal {
  const limit = new AbortController();
  const either = AbortSignal.any([signal, limit.signal]);
  limitTime(limit, ms, either);
  return either;
}

/** A signal that aborts after `ms` with a `TimeoutError`. Like `AbortSignal.timeout`, which see above. */
export function timeLimit(ms: number): AbortSignal {
  const limit = new AbortController();
  limitTime(limit, ms, limit.signal);
  return limit.signal;
}

/**
 * `either` follows its parts by weak references only, and until it has a listener just when it is asked: it is kept, and asked, here.
 */
function limitTime(limit: AbortController, ms: number, either: AbortSignal): void {
  startTimeLimit(ms, () => {
    limit.abort(new DOMException("The operation was aborted due to timeout", "TimeoutError"));
    return either.aborted;
  });
}

/**
 * Calls `expire` after `ms` in which the event loop was on time. Time by which it was late does not count, and responses that arrived
 * meanwhile are read first. A loop that is always late extends the limit to at most ten times its length. Limits of 10 s and more are up
 * to a tenth longer, at most 5 s. Disposal stops the wait. The timer keeps no process running.
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
    // The event loop polls for responses between a timer and an immediate.
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
/** Limits of at least this length end at shared ticks: most of them end long after their requests, one by one. */
const leastSharedMs = 10_000;
const maxTickMs = 5_000;

/** Resolves when the signal aborts. */
export function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}

/** The result, unless the signal aborts first: then its reason, while the work goes on without anybody waiting for it. */
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
