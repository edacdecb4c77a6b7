import type { Clock } from "@keelson/base";

/** Longest polling interval. Longer waits are limits that must not be reached. */
const longestPollMs = 60_000;

/** Clock that advances during polling. Polling intervals end immediately, and limits are never reached. */
export class PollingClock implements Clock {
  #ahead = 0;
  readonly #waits = new Set<number>();

  /** Polling intervals so far, in milliseconds. */
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
