import type { Clock } from "@keelson/base";

/**
 * Average number of tickets that one process can issue per millisecond. At a higher rate, its tickets would run ahead of the
 * clock.
 */
const ticketsPerMs = 2_048;

/** Resolution of a `Date` header in ms. */
const resolutionMs = 1_000;

/**
 * Maximum step back in ms that is attributed to a late `Date` header. `nowMs` adopts only larger steps immediately. Servers such
 * as Node.js update the `Date` header once per second, and a busy server updates it late.
 */
const maxLateMs = 3_000;

/**
 * Estimates the server's clock from the `Date` headers of responses. Each header contains the server's time, in seconds, at a
 * moment between request and response. Together, the headers determine the difference to this process's monotonic clock with an
 * error below one round trip. All processes therefore use the same clock for leases and delays, independently of their wall
 * clocks.
 */
export class ServerClock {
  readonly #clock: Clock;
  /** Lower and upper bound of the difference between the server's time and the monotonic time, in ms. */
  #least = Number.NEGATIVE_INFINITY;
  #most = Number.POSITIVE_INFINITY;
  /** Latest time that `nowMs` returned. */
  #latestMs = Number.NEGATIVE_INFINITY;
  #lastTicket = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Updates the estimate. @param sentMs, receivedMs monotonic times of the request and the response */
  observe(dateHeader: string, sentMs: number, receivedMs: number): void {
    const date = Date.parse(dateHeader);
    if (Number.isNaN(date)) return;
    const least = date - receivedMs;
    const most = date + resolutionMs - sentMs;
    if (Math.max(least, this.#least) <= Math.min(most, this.#most)) {
      this.#least = Math.max(least, this.#least);
      this.#most = Math.min(most, this.#most);
    } else {
      // The clocks drifted apart, or the server's clock was changed. The earlier bounds are invalid.
      this.#least = least;
      this.#most = most;
    }
  }

  /**
   * Returns the server's time in ms since 1970. Before the first response, returns this process's time. If the estimate steps back
   * slightly, the returned time stays the same until the estimate reaches it. A document that is due at the time of its commit is
   * therefore also due at the next acquisition.
   */
  nowMs(): number {
    if (!Number.isFinite(this.#least) || !Number.isFinite(this.#most)) return this.#clock.now().getTime();
    const estimateMs = this.#clock.monotonicMs() + (this.#least + this.#most) / 2;
    const isHeld = estimateMs < this.#latestMs && estimateMs > this.#latestMs - maxLateMs;
    if (!isHeld) this.#latestMs = estimateMs;
    return this.#latestMs;
  }

  /**
   * Returns a number that is higher than all earlier tickets of this process. It is also higher than earlier tickets of other
   * processes, except those with a server clock estimate that is ahead of this process's estimate.
   */
  ticket(): number {
    this.#lastTicket = Math.max(this.#lastTicket + 1, Math.floor(this.nowMs()) * ticketsPerMs);
    return this.#lastTicket;
  }
}
