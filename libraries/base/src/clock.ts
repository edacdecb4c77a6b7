import { LoopLateness } from "./loop-lateness.ts";

/**
 * The only source of time. `now` is wall time. `monotonicMs` never decreases and continues while the process
 * is stopped.
 */
export interface Clock {
  now(): Date;
  monotonicMs(): number;
  /** Resolves after `ms`; rejects with the signal's reason when it aborts first. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** Sum in ms by which this thread's timers have been late so far. A clock without it is never late. */
  lateMs?(): number;
}

/** Longest timer of Node.js. Longer ones fire after a millisecond. */
export const longestTimerMs = 2 ** 31 - 1;

const lateness = new LoopLateness();

export const systemClock: Clock & Required<Pick<Clock, "lateMs">> = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
  lateMs: () => lateness.totalMs(),
  // `node:timers/promises` would use 3 kB per sleeper, and a process may have thousands.
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      signal.throwIfAborted();
      let leftMs = ms;
      let timer: NodeJS.Timeout;
      const wait = () => {
        const partMs = Math.min(leftMs, longestTimerMs);
        leftMs -= partMs;
        timer = setTimeout(leftMs > 0 ? wait : over, partMs);
      };
      const over = () => {
        signal.removeEventListener("abort", stop);
        resolve();
      };
      const stop = () => {
        clearTimeout(timer);
        reject(signal.reason);
      };
      signal.addEventListener("abort", stop, { once: true });
      wait();
    }),
};
