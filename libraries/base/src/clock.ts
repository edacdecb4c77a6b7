/** The only source of time. `now` is wall time; `monotonicMs` never goes back and counts while stopped. */
export interface Clock {
  now(): Date;
  monotonicMs(): number;
  /** Resolves after `ms`; rejects with the signal's reason when it aborts first. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/** Of a longer timer Node makes one of a millisecond. */
const longestTimerMs = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      signal.throwIfAborted();
      new Sleep(ms, signal, resolve, reject);
    }),
};

/** One object and one timer: a process may have thousands of sleepers, of which each takes 2 kB with `node:timers/promises`. */
class Sleep {
  readonly #signal: AbortSignal;
  readonly #resolve: () => void;
  readonly #reject: (reason: unknown) => void;
  #leftMs: number;
  #timer: NodeJS.Timeout;

  constructor(ms: number, signal: AbortSignal, resolve: () => void, reject: (reason: unknown) => void) {
    this.#signal = signal;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#leftMs = ms;
    this.#timer = this.#next();
    signal.addEventListener("abort", this, { once: true });
  }

  /** Of the signal. */
  handleEvent(): void {
    clearTimeout(this.#timer);
    this.#reject(this.#signal.reason);
  }

  #next(): NodeJS.Timeout {
    const ms = Math.min(this.#leftMs, longestTimerMs);
    this.#leftMs -= ms;
    return setTimeout(Sleep.#over, ms, this);
  }

  static #over(sleep: Sleep): void {
    if (sleep.#leftMs > 0) {
      sleep.#timer = sleep.#next();
      return;
    }
    sleep.#signal.removeEventListener("abort", sleep);
    sleep.#resolve();
  }
}
