import type { Clock } from "./clock.ts";

interface HeartbeatOptions {
  /** Sends a request to the process. Returns false if the process is not running. */
  readonly ping: () => boolean;
  /** Called after each change of `notRespondingSince`. */
  readonly changed: () => void;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Time between two requests. Default: 10,000 ms. */
  readonly everyMs?: number;
}

/**
 * Detects a process that does not respond to the messages of this one, for example because it is suspended. Ends with the signal.
 */
export class Heartbeat {
  readonly #options: HeartbeatOptions;
  #unansweredSince: Date | undefined;
  #notRespondingSince: Date | undefined;

  constructor(options: HeartbeatOptions) {
    this.#options = options;
    void this.#run();
  }

  /** Time of the first request without a response, after the time of the next request. */
  get notRespondingSince(): Date | undefined {
    return this.#notRespondingSince;
  }

  /** Every message of the process is a response. */
  received(): void {
    this.#unansweredSince = undefined;
    if (this.#notRespondingSince === undefined) return;
    this.#notRespondingSince = undefined;
    this.#options.changed();
  }

  /** Forgets the requests to a process that has exited. */
  reset(): void {
    this.#unansweredSince = this.#notRespondingSince = undefined;
  }

  async #run(): Promise<void> {
    const { ping, changed, clock, signal, everyMs = 10_000 } = this.#options;
    while (!signal.aborted) {
      await clock.sleep(everyMs, signal).catch(() => undefined);
      // Responses that arrived while this process itself was late are read before it judges.
      await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
      if (signal.aborted) return;
      if (this.#unansweredSince && !this.#notRespondingSince) {
        this.#notRespondingSince = this.#unansweredSince;
        changed();
      }
      if (ping()) this.#unansweredSince ??= clock.now();
    }
  }
}
