import type { Clock } from "./clock.ts";

interface HeartbeatOptions {
  /** Sends a ping to the process. Returns false if the process is not running. */
  readonly ping: () => boolean;
  /** Called after each change of `notRespondingSince`. */
  readonly changed: () => void;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Time between two pings. Default: 10,000 ms. */
  readonly everyMs?: number;
}

/** Detects a process that does not respond to pings, for example because it is suspended. Stops when the signal aborts. */
export class Heartbeat {
  readonly #options: HeartbeatOptions;
  #unansweredSince: Date | undefined;
  #notRespondingSince: Date | undefined;

  constructor(options: HeartbeatOptions) {
    this.#options = options;
    void this.#run();
  }

  /** Send time of the first ping that had no response when the next ping was due. Undefined while the process responds. */
  get notRespondingSince(): Date | undefined {
    return this.#notRespondingSince;
  }

  /** Records a message from the process. Every message counts as a response. */
  received(): void {
    this.#unansweredSince = undefined;
    if (this.#notRespondingSince === undefined) return;
    this.#notRespondingSince = undefined;
    this.#options.changed();
  }

  /** Discards the pending pings of a process that has exited. */
  reset(): void {
    this.#unansweredSince = this.#notRespondingSince = undefined;
  }

  async #run(): Promise<void> {
    const { ping, changed, clock, signal, everyMs = 10_000 } = this.#options;
    while (!signal.aborted) {
      await clock.sleep(everyMs, signal).catch(() => undefined);
      // Responses may still be waiting in the event loop if this process was delayed. They are read before the monitored process
      // is reported as not responding.
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
