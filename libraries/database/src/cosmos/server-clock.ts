import type { Clock } from "@keelson/base";

/** More tickets than this are not issued within a millisecond on average. */
const ticketsPerMs = 2_048;

/** A `Date` header has whole seconds. */
const resolutionMs = 1_000;

/**
 * The clock of the service, known from the `Date` headers of its answers: each says that the clock showed a certain
 * second at some moment between a request and its answer. All of them together narrow the difference to this
 * process's monotonic clock down to less than a round trip. So every process counts leases and waits by the same
 * clock, whatever its own wall clock shows.
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
      // The clocks drifted apart, or the server's was set: what was known is no longer so.
      this.#least = least;
      this.#most = most;
    }
  }

  /** Milliseconds since 1970. Before the first answer, those of this process. */
  nowMs(): number {
    if (!Number.isFinite(this.#least) || !Number.isFinite(this.#most)) return this.#clock.now().getTime();
    return this.#clock.monotonicMs() + (this.#least + this.#most) / 2;
  }

  /** A number higher than all that this process got before, and, but for the clocks' difference, than all others. */
  ticket(): number {
    this.#lastTicket = Math.max(this.#lastTicket + 1, Math.floor(this.nowMs()) * ticketsPerMs);
    return this.#lastTicket;
  }
}
