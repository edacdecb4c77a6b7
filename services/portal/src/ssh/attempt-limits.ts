import type { Clock } from "@keelson/base";
import { connectionSource } from "@keelson/http";

interface Failures {
  count: number;
  readonly sinceMs: number;
}

const windowMs = 60_000;
const most = 20;
/** Maximum number of stored source addresses. If there are more, the oldest are removed. */
const mostKept = 10_000;

/**
 * Counts wrong passwords by source address over the last minute. If an address exceeds the limit, its passwords are no longer
 * checked. Attempts are not limited by user name, because a stranger could then lock out a person. The missing limit is safe,
 * because passwords are random and valid for only one minute.
 */
export class AttemptLimits {
  readonly #clock: Clock;
  readonly #failures = new Map<string, Failures>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  allows(address: string): boolean {
    return (this.#find(connectionSource(address))?.count ?? 0) < most;
  }

  failed(address: string): void {
    const source = connectionSource(address);
    const known = this.#find(source);
    if (known) known.count++;
    else this.#failures.set(source, { count: 1, sinceMs: this.#clock.monotonicMs() });
    for (const key of this.#failures.keys()) {
      if (this.#failures.size <= mostKept) break;
      this.#failures.delete(key);
    }
  }

  get size(): number {
    return this.#failures.size;
  }

  #find(key: string): Failures | undefined {
    const known = this.#failures.get(key);
    if (known && this.#clock.monotonicMs() - known.sinceMs < windowMs) return known;
    this.#failures.delete(key);
    return undefined;
  }
}
