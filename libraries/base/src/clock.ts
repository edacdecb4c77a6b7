import { LoopLateness } from "./loop-lateness.ts";

/** Source of time. `now` returns wall time. `monotonicMs` never decreases and continues while the process is suspended. */
export interface Clock {
  now(): Date;
  monotonicMs(): number;
  /** Resolves after `ms`. Rejects with the signal's reason if it aborts first. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** Returns the total delay of this thread's timers so far, in ms. A clock without this method has no delays. */
  lateMs?(): number;
}

/** Maximum timer length of Node.js, in ms. Longer timers fire after one millisecond. */
export const longestTimerMs = 2 ** 31 - 1;

const lateness = new LoopLateness();

export const systemClock: Clock & Required<Pick<Clock, "lateMs">> = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
  lateMs: () => lateness.totalMs(),
  // Does not use `node:timers/promises`, because it needs 3 kB per sleeper and a process may have thousands of sleepers.
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
