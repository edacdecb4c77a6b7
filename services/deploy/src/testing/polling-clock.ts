import type { Clock } from "@keelson/base";

/** A wait up to this is one between two looks, a longer one a limit that nothing should reach. */
const longestPollMs = 60_000;

/** Time that goes on by itself while somebody polls: waits between looks are over at once, limits never come. */
export class PollingClock implements Clock {
  #ahead = 0;
  readonly #waits = new Set<number>();

  /** Lengths of the waits between two looks so far, in milliseconds. */
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
