import type { Clock } from "@keelson/base";

export interface TokenBucketOptions {
  readonly perSecond: number;
  /** Maximum number of stored tokens. */
  readonly burst: number;
}

/** Token bucket rate limiter. Each reservation returns the time to wait in ms. */
export class TokenBucket {
  readonly #options: TokenBucketOptions;
  readonly #clock: Clock;
  /** Number of available tokens. Negative if callers have reserved tokens that do not exist yet. */
  #tokens: number;
  #filledAtMs: number;

  constructor(options: TokenBucketOptions, clock: Clock) {
    this.#options = options;
    this.#clock = clock;
    this.#tokens = options.burst;
    this.#filledAtMs = clock.monotonicMs();
  }

  /** Reserves a token. Returns the time in ms until the token is available, or 0 if it is available immediately. */
  reserveMs(): number {
    this.#fill();
    this.#tokens -= 1;
    return this.#tokens >= 0 ? 0 : (-this.#tokens * 1_000) / this.#options.perSecond;
  }

  /** Consumes an available token. Returns false if no token is available. */
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
