import type { Clock } from "@keelson/base";

/** More tickets than this are not issued within a millisecond on average. */
const ticketsPerMs = 2_048;

/** Resolution of a `Date` header. */
const resolutionMs = 1_000;

/**
 * Estimates the clock of the service from the `Date` headers of its responses. Each header shows the second
 * of the server's clock at some moment between request and response. Together they determine the difference
 * to this process's monotonic clock with an error below one round trip. All processes therefore use the same
 * clock for leases and delays. Their wall clocks have no effect.
 */
export class ServerClock {
  readonly #clock: Clock;
  /** The server's time minus the monotonic time lies between these. */
  #least = Number.NEGATIVE_INFINITY;
  #most = Number.POSITIVE_INFINITY;
  #lastTicket = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @param sentMs, receivedMs monotonic times around the exchange */
  observe(dateHeader: string, sentMs: number, receivedMs: number): void {
    const date = Date.parse(dateHeader);
    if (Number.isNaN(date)) return;
    const least = date - receivedMs;
    const most = date + resolutionMs - sentMs;
    if (Math.max(least, this.#least) <= Math.min(most, this.#most)) {
      this.#least = Math.max(least, this.#least);
      this.#most = Math.min(most, this.#most);
    } else {
      // The clocks drifted apart, or the server's clock was set: the earlier bounds are invalid.
      this.#least = least;
      this.#most = most;
    }
  }

  /** Returns milliseconds since 1970. Before the first response, the time is that of this process. */
  nowMs(): number {
    if (!Number.isFinite(this.#least) || !Number.isFinite(this.#most)) return this.#clock.now().getTime();
    return this.#clock.monotonicMs() + (this.#least + this.#most) / 2;
  }

  /**
   * Returns a number higher than all earlier ones of this process and, except for clock differences, of all
   * processes.
   */
  ticket(): number {
    this.#lastTicket = Math.max(this.#lastTicket + 1, Math.floor(this.nowMs()) * ticketsPerMs);
    return this.#lastTicket;
  }
}
