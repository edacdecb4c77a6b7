import type { Clock } from "@keelson/base";

interface Failures {
  count: number;
  readonly sinceMs: number;
}

const windowMs = 60_000;
const most = { address: 20, user: 100 } as const;
/** Of addresses and users; the oldest are forgotten. */
const mostKept = 10_000;

/** Wrong passwords in the last minute, by address and by user. Beyond the limits no password is checked. */
export class AttemptLimits {
  readonly #clock: Clock;
  readonly #failures = new Map<string, Failures>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  allows(address: string, user: string): boolean {
    return this.#count(`address ${address}`) < most.address && this.#count(`user ${user}`) < most.user;
  }

  failed(address: string, user: string): void {
    for (const key of [`address ${address}`, `user ${user}`]) {
      const known = this.#find(key);
      if (known) known.count++;
      else this.#failures.set(key, { count: 1, sinceMs: this.#clock.monotonicMs() });
    }
    for (const key of this.#failures.keys()) {
      if (this.#failures.size <= mostKept) break;
      this.#failures.delete(key);
    }
  }

  get size(): number {
    return this.#failures.size;
  }

  #count(key: string): number {
    return this.#find(key)?.count ?? 0;
  }

  #find(key: string): Failures | undefined {
    const known = this.#failures.get(key);
    if (known && this.#clock.monotonicMs() - known.sinceMs < windowMs) return known;
    this.#failures.delete(key);
    return undefined;
  }
}
