import type { Clock } from "@keelson/base";

const firstPauseMs = 10_000;
/** As often as client-go's recorder of events.k8s.io writes a series that goes on. */
const longestPauseMs = 360_000;

/** One event that may happen again and again: when it is written, and how often it happened since. */
export class EventSeries {
  readonly #clock: Clock;
  #unwritten = 0;
  #pauseMs = firstPauseMs;
  #dueMs = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  happened(): void {
    // What has been quiet for longer than any pause begins again.
    if (this.#clock.monotonicMs() - this.#dueMs > longestPauseMs) this.#pauseMs = firstPauseMs;
    this.#unwritten += 1;
  }

  get isDue(): boolean {
    return this.#clock.monotonicMs() >= this.#dueMs;
  }

  /** How often it happened since the last time; it is due again after a pause that doubles. */
  take(): number {
    const count = this.#unwritten;
    this.#unwritten = 0;
    this.#dueMs = this.#clock.monotonicMs() + this.#pauseMs;
    this.#pauseMs = Math.min(2 * this.#pauseMs, longestPauseMs);
    return count;
  }
}
