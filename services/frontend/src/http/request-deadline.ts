import { type Clock, withTimeout } from "@keelson/base";

/**
 * Creates signals that limit requests. Requests that begin within one `slotMs` share a signal and a timer. A
 * request has between `limitMs - slotMs` and `limitMs`.
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

  /** Aborts at the end of the frontend's lifetime, for requests with their own limits. */
  get lifetime(): AbortSignal {
    return this.#lifetime;
  }

  /** Aborts at the time limit of a request that begins now, or at the end of the frontend's lifetime. */
  signal(): AbortSignal {
    const nowMs = this.#clock.monotonicMs();
    if (nowMs >= this.#slotEndsMs) {
      this.#slotEndsMs = nowMs + this.#slotMs;
      this.#signal = withTimeout(this.#lifetime, this.#limitMs);
    }
    return this.#signal;
  }
}
