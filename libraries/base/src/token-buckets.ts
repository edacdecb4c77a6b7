import type { Clock } from "./clock.ts";

/** Rate limit: `burst` requests initially, then `perSecond` requests per second. */
export interface TokenLimit {
  readonly burst: number;
  readonly perSecond: number;
}

interface Bucket {
  readonly left: number;
  readonly atMs: number;
}

/** Maximum number of buckets. If the bucket of a key was evicted, the key starts again with a full bucket. */
const maxBuckets = 30_000;

/** Token buckets by key, like the rate limits of Azure Resource Manager. The least recently used buckets are evicted. */
export class TokenBuckets {
  readonly #buckets = new Map<string, Bucket>();

  /**
   * Consumes one token of the bucket. Returns the number of remaining tokens, or the time until the next token if the bucket is
   * empty.
   */
  take(
    key: string,
    limit: TokenLimit,
    clock: Clock,
  ): { readonly left: number } | { readonly retryAfterSeconds: number } {
    const nowMs = clock.monotonicMs();
    const before = this.#buckets.get(key) ?? { left: limit.burst, atMs: nowMs };
    const gained = ((nowMs - before.atMs) / 1_000) * limit.perSecond;
    const left = Math.min(limit.burst, before.left + gained) - 1;
    if (left < 0) return { retryAfterSeconds: Math.max(1, Math.ceil(-left / limit.perSecond)) };
    this.#buckets.delete(key);
    this.#buckets.set(key, { left, atMs: nowMs });
    const [oldest] = this.#buckets.keys();
    if (this.#buckets.size > maxBuckets && oldest !== undefined) this.#buckets.delete(oldest);
    return { left: Math.floor(left) };
  }

  forget(key: string): void {
    this.#buckets.delete(key);
  }

  get size(): number {
    return this.#buckets.size;
  }
}
