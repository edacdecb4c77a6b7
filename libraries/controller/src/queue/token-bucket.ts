import type { Clock } from "@keelson/base";

export interface TokenBucketOptions {
  readonly perSecond: number;
  /** Tokens that an idle bucket holds. */
  readonly burst: number;
}

/** Limits a rate: each reservation says how long to wait for its token. */
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

  /** Takes a token and gives the milliseconds until it is there; 0 when it is. */
  reserveMs(): number {
    this.#fill();
    this.#tokens -= 1;
    return this.#tokens >= 0 ? 0 : (-this.#tokens * 1_000) / this.#options.perSecond;
  }

  /** Takes a token that is there; false when there is none. */
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
