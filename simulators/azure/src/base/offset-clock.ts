import type { Clock } from "@keelson/base";

/**
 * The time of a subscription that can be moved: ahead of the `outside`, whose clock clients and services have, by as much as
 * was said last. Moving it wakes who has slept long enough by it.
 */
export class OffsetClock implements Clock {
  /** What others stamp and read by clocks of their own is stamped and judged by this. */
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
