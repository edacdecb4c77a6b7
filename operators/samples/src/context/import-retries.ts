import type { Clock } from "@keelson/base";

const periodMs = 15 * 60_000;
/** Fraction of the period by which retries vary, so that streams do not retry at the same time forever. */
const jitter = 0.3;
/** Window in which due retries are combined, so that a hundred streams do not cause a hundred reconciles. */
const gatherMs = 30_000;

/** Retry times of failing imagestreams: immediately, then every quarter of an hour. */
export class ImportRetries {
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #due = new Map<string, number>();

  constructor(clock: Clock, random: () => number = Math.random) {
    this.#clock = clock;
    this.#random = random;
  }

  isDue(stream: string): boolean {
    return (this.#due.get(stream) ?? 0) <= this.#clock.now().getTime();
  }

  tried(stream: string): void {
    const wait = periodMs * (1 + jitter * (2 * this.#random() - 1));
    this.#due.set(stream, this.#clock.now().getTime() + wait);
  }

  /** Makes the stream due again after a change, which is processed next. */
  forget(stream: string): void {
    this.#due.delete(stream);
  }

  /** Removes the streams that no longer fail. */
  keepOnly(failing: ReadonlySet<string>): void {
    for (const stream of this.#due.keys()) if (!failing.has(stream)) this.#due.delete(stream);
  }

  /** Time until the next check. `undefined` if no stream fails. */
  get nextMs(): number | undefined {
    if (this.#due.size === 0) return undefined;
    return Math.max(gatherMs, Math.min(...this.#due.values()) - this.#clock.now().getTime());
  }
}
