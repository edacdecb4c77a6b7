import type { Clock } from "../clock.ts";

/** Clock that tests control. `advance` wakes sleepers in the order of their wake-up times. */
export class ManualClock implements Clock {
  #nowMs: number;
  #lateMs = 0;
  #sleepers: { readonly wakeAtMs: number; readonly wake: () => void }[] = [];

  constructor(start = new Date("2026-01-01T00:00:00Z")) {
    this.#nowMs = start.getTime();
  }

  /** Number of pending sleeps. */
  get sleeping(): number {
    return this.#sleepers.length;
  }

  now(): Date {
    return new Date(this.#nowMs);
  }

  monotonicMs(): number {
    return this.#nowMs;
  }

  lateMs(): number {
    return this.#lateMs;
  }

  /** Moves the time without waking sleepers, like a suspended process. Due sleepers wake at the next `advance`. */
  stall(ms: number): void {
    this.#nowMs += ms;
    this.#lateMs += ms;
  }

  sleep(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const abort = () => {
        this.#sleepers = this.#sleepers.filter((each) => each !== sleeper);
        reject(signal.reason);
      };
      const wake = () => {
        signal.removeEventListener("abort", abort);
        resolve();
      };
      const sleeper = { wakeAtMs: this.#nowMs + ms, wake };
      signal.addEventListener("abort", abort, { once: true });
      this.#sleepers.push(sleeper);
    });
  }

  async advance(ms: number): Promise<void> {
    const end = this.#nowMs + ms;
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve));
      const next = this.#sleepers.filter((s) => s.wakeAtMs <= end).sort((a, b) => a.wakeAtMs - b.wakeAtMs)[0];
      if (!next) break;
      this.#nowMs = Math.max(this.#nowMs, next.wakeAtMs);
      this.#sleepers = this.#sleepers.filter((each) => each !== next);
      next.wake();
    }
    this.#nowMs = end;
  }
}
