import type { Clock } from "@keelson/base";

const firstPauseMs = 10_000;
/** Maximum interval in ms between two writes of a repeated Event, as in client-go's recorder of events.k8s.io. */
const longestPauseMs = 360_000;

/** Schedule for the writes of one repeated Event, and its number of unwritten occurrences. */
export class EventSeries {
  readonly #clock: Clock;
  #unwritten = 0;
  #pauseMs = firstPauseMs;
  #dueMs = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  happened(): void {
    // If the next write has been due for longer than the maximum interval, the intervals start again with the shortest interval.
    if (this.#clock.monotonicMs() - this.#dueMs > longestPauseMs) this.#pauseMs = firstPauseMs;
    this.#unwritten += 1;
  }

  get isDue(): boolean {
    return this.#clock.monotonicMs() >= this.#dueMs;
  }

  /**
   * Returns the number of occurrences since the previous call. Called when the Event is written. Each call doubles the interval
   * until the next write.
   */
  take(): number {
    const count = this.#unwritten;
    this.#unwritten = 0;
    this.#dueMs = this.#clock.monotonicMs() + this.#pauseMs;
    this.#pauseMs = Math.min(2 * this.#pauseMs, longestPauseMs);
    return count;
  }
}
