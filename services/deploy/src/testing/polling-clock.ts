import type { Clock } from "@keelson/base";

/** Maximum polling interval in milliseconds. Longer sleeps are time limits. */
const longestPollMs = 60_000;

/** Test clock. Polling intervals end immediately and advance the time. Time limits never expire. */
export class PollingClock implements Clock {
  #ahead = 0;
  readonly #waits = new Set<number>();

  /** Distinct polling intervals so far, in milliseconds. */
  get waits(): ReadonlySet<number> {
    return this.#waits;
  }

  now(): Date {
    return new Date(Date.now() + this.#ahead);
  }

  monotonicMs(): number {
    return this.#ahead;
  }

  pass(ms: number): void {
    this.#ahead += ms;
  }

  async sleep(ms: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (ms <= longestPollMs) {
      this.#ahead += ms;
      this.#waits.add(ms);
      await new Promise((resolve) => setImmediate(resolve));
      signal.throwIfAborted();
      return;
    }
    await new Promise((_, reject) =>
      signal.addEventListener("abort", () => reject(signal.reason), { once: true }),
    );
  }
}
