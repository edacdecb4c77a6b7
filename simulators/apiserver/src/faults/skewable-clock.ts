import type { Clock } from "@keelson/base";

/** Clock with an adjustable offset of the wall time, in milliseconds. Sleep durations do not change. */
export class SkewableClock implements Clock {
  skewMs = 0;
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  now(): Date {
    const now = this.#clock.now();
    return this.skewMs === 0 ? now : new Date(now.getTime() + this.skewMs);
  }

  monotonicMs(): number {
    return this.#clock.monotonicMs();
  }

  lateMs(): number {
    return this.#clock.lateMs?.() ?? 0;
  }

  sleep(ms: number, signal: AbortSignal): Promise<void> {
    return this.#clock.sleep(ms, signal);
  }
}
