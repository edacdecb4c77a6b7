import type { Clock } from "@keelson/base";

const periodMs = 15 * 60_000;
/**
 * Maximum random change of the retry period, as a fraction of the period. Without this change, streams that fail together would
 * always be retried together.
 */
const jitter = 0.3;
/** Minimum delay in ms between checks. All retries that become due within this time share one reconcile. */
const gatherMs = 30_000;

/** Retry schedule of failing imagestreams. The first retry is immediate. Further retries follow every 15 minutes. */
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

  /** Makes a retry of the stream due immediately, because the stream has changed. */
  forget(stream: string): void {
    this.#due.delete(stream);
  }

  /** Removes the streams that are not in `failing`. */
  keepOnly(failing: ReadonlySet<string>): void {
    for (const stream of this.#due.keys()) if (!failing.has(stream)) this.#due.delete(stream);
  }

  /** Time in ms until the next check. `undefined` if no stream fails. */
  get nextMs(): number | undefined {
    if (this.#due.size === 0) return undefined;
    return Math.max(gatherMs, Math.min(...this.#due.values()) - this.#clock.now().getTime());
  }
}
