/** The only source of time. `now` is wall time; `monotonicMs` never goes back and counts while stopped. */
export interface Clock {
  now(): Date;
  monotonicMs(): number;
  /** Resolves after `ms`; rejects with the signal's reason when it aborts first. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/** Of a longer timer Node makes one of a millisecond. */
export const longestTimerMs = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
  // Without `node:timers/promises`, with which each sleeper takes 3 kB: a process may have thousands.
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
