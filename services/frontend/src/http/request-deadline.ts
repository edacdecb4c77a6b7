import { type Clock, withTimeout } from "@keelson/base";

/**
 * Creates time limit signals for requests. Requests that begin within the same `slotMs` milliseconds share a signal and a timer.
 * The time limit of a request is therefore between `limitMs - slotMs` and `limitMs`.
 */
export class RequestDeadline {
  readonly #clock: Clock;
  readonly #lifetime: AbortSignal;
  readonly #limitMs: number;
  readonly #slotMs: number;
  #signal: AbortSignal;
  #slotEndsMs = Number.NEGATIVE_INFINITY;

  constructor(options: { clock: Clock; lifetime: AbortSignal; limitMs: number; slotMs: number }) {
    this.#clock = options.clock;
    this.#lifetime = options.lifetime;
    this.#limitMs = options.limitMs;
    this.#slotMs = options.slotMs;
    this.#signal = options.lifetime;
  }

  /** Signal that aborts when the frontend stops. Requests with their own time limits use this signal. */
  get lifetime(): AbortSignal {
    return this.#lifetime;
  }

  /** Returns a signal for a request that begins now. The signal aborts at the request's time limit or when the frontend stops. */
  signal(): AbortSignal {
    const nowMs = this.#clock.monotonicMs();
    if (nowMs >= this.#slotEndsMs) {
      this.#slotEndsMs = nowMs + this.#slotMs;
      this.#signal = withTimeout(this.#lifetime, this.#limitMs);
    }
    return this.#signal;
  }
}
