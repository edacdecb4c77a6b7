import type { Clock } from "@keelson/base";

/**
 * Adjustable clock of a subscription. Its time is the time of `outside` plus an offset. If the offset increases, sleepers that
 * become due wake up.
 */
export class OffsetClock implements Clock {
  /** Real clock, for times that other systems set or compare with their own clocks. */
  readonly outside: Clock;
  #aheadMs = 0;
  #moved = new AbortController();

  constructor(outside: Clock) {
    this.outside = outside;
  }

  get aheadMs(): number {
    return this.#aheadMs;
  }

  moveTo(aheadMs: number): void {
    if (aheadMs === this.#aheadMs) return;
    this.#aheadMs = aheadMs;
    const before = this.#moved;
    this.#moved = new AbortController();
    before.abort();
  }

  now(): Date {
    return new Date(this.outside.now().getTime() + this.#aheadMs);
  }

  monotonicMs(): number {
    return this.outside.monotonicMs() + this.#aheadMs;
  }

  lateMs(): number {
    return this.outside.lateMs?.() ?? 0;
  }

  async sleep(ms: number, signal: AbortSignal): Promise<void> {
    const end = this.monotonicMs() + ms;
    for (;;) {
      const moved = this.#moved.signal;
      try {
        await this.outside.sleep(Math.max(0, end - this.monotonicMs()), AbortSignal.any([signal, moved]));
        return;
      } catch (error) {
        if (signal.aborted || !moved.aborted) throw error;
      }
    }
  }
}
