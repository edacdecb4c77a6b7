import type { Clock } from "@keelson/base";

export interface TokenBucketOptions {
  readonly perSecond: number;
  /** Capacity of the bucket. */
  readonly burst: number;
}

/** Rate limiter. Each reservation returns the time to wait. */
export class TokenBucket {
  readonly #options: TokenBucketOptions;
  readonly #clock: Clock;
  /** Negative while reservations wait. */
  #tokens: number;
  #filledAtMs: number;

  constructor(options: TokenBucketOptions, clock: Clock) {
    this.#options = options;
    this.#clock = clock;
    this.#tokens = options.burst;
    this.#filledAtMs = clock.monotonicMs();
  }

  /** Reserves a token and returns the milliseconds until it is available. 0 if available now. */
  reserveMs(): number {
    this.#fill();
    this.#tokens -= 1;
    return this.#tokens >= 0 ? 0 : (-this.#tokens * 1_000) / this.#options.perSecond;
  }

  /** Takes an available token. Returns false without one. */
  tryTake(): boolean {
    this.#fill();
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }

  #fill(): void {
    const now = this.#clock.monotonicMs();
    const { perSecond, burst } = this.#options;
    this.#tokens = Math.min(burst, this.#tokens + ((now - this.#filledAtMs) * perSecond) / 1_000);
    this.#filledAtMs = now;
  }
}
