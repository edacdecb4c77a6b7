import { type Clock, type Logger, messageOf } from "@keelson/base";
import { errors } from "../documents/errors.ts";
import type { WriteState } from "../documents/write-state.ts";
import { sqlFailure } from "../drivers/driver.ts";

export interface WriteProbeTimes {
  /** Interval of the write probes, in ms. */
  readonly everyMs: number;
  /**
   * Time limit of a probe, in ms. If a probe exceeds it, writes are blocked. A write waits at most for `everyMs` plus `limitMs`.
   */
  readonly limitMs: number;
}

/** Time in ms after which a probe's connection is replaced, unless its server waits for a standby. */
const abandonMs = 60_000;

/** SQLSTATEs of a server that cannot write: missing resources (except connections), file errors, internal errors. */
const refusedStates = /^(53(?!3)...|58...|XX...)$/;

const accepted: WriteState = { kind: "accepted" };

export interface WriteProbe {
  /** Performs a small commit. Resolves when the server confirms it. @throws StoreUnavailable, errors with SQLSTATE */
  commit(): Promise<void>;
  /** Returns the setting `synchronous_standby_names` if sessions of this role are waiting for a standby. */
  awaitedStandbys(): Promise<string | undefined>;
  /** Closes the probe's connection. The next `commit` opens a new one. */
  reset(): void;
}

export interface WriteGateOptions extends WriteProbeTimes {
  readonly probe: WriteProbe;
  /** Called with each new write state. */
  readonly onChange?: (state: WriteState) => void;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Rejects writes while commits do not complete, for example without a synchronous standby. PostgreSQL does not cancel such a
 * commit, neither at the statement timeout nor when the client disconnects. Each attempt would therefore occupy a server
 * connection.
 */
export class WriteGate implements AsyncDisposable {
  readonly #options: WriteGateOptions;
  readonly #stop = new AbortController();
  readonly #first = Promise.withResolvers<WriteState>();
  #state: WriteState = accepted;
  /** Functions that reject the writes in progress. */
  readonly #waiting = new Set<(error: Error) => void>();

  constructor(options: WriteGateOptions) {
    this.#options = options;
    void this.#run();
  }

  /** State that the first probe determines. */
  get first(): Promise<WriteState> {
    return this.#first.promise;
  }

  get state(): WriteState {
    return this.#state;
  }

  /**
   * Runs a write. Rejects if writes are blocked before or during the write. The write may or may not have been applied.
   * @throws StoreUnavailable
   */
  async guard<T>(write: () => Promise<T>): Promise<T> {
    if (this.#state.kind === "blocked") throw unavailable(this.#state.reason);
    // Each write has a separate promise. A race with one shared promise would keep a callback per write for as long as the shared
    // promise is pending.
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    this.#waiting.add(reject);
    write().then(resolve, reject);
    try {
      return await promise;
    } finally {
      this.#waiting.delete(reject);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    this.#options.probe.reset();
  }

  async #run(): Promise<void> {
    const { clock, everyMs } = this.#options;
    const { signal } = this.#stop;
    while (!signal.aborted) {
      await this.#probe();
      await clock.sleep(everyMs, signal).catch(() => undefined);
    }
  }

  async #probe(): Promise<void> {
    const { probe, clock, limitMs } = this.#options;
    const { signal } = this.#stop;
    const done = new AbortController();
    const committing = probe
      .commit()
      .then(() => this.#accept())
      .catch((error: unknown) => this.#failed(error))
      .finally(() => done.abort());
    const ended = AbortSignal.any([signal, done.signal]);
    for (let waitedMs = 0; !ended.aborted; waitedMs += limitMs) {
      await clock.sleep(limitMs, ended).catch(() => undefined);
      if (ended.aborted) break;
      const standbys = await probe.awaitedStandbys().catch(() => undefined);
      if (ended.aborted) break;
      if (standbys !== undefined) {
        this.#blocked(
          "synchronous_replication",
          `Commits wait for a synchronous standby, and none of ${JSON.stringify(standbys)} confirms. Start a standby, or change synchronous_standby_names.`,
        );
      } else {
        this.#blocked(
          "timeout",
          `Commits do not end within ${limitMs / 1_000} s. See the log of the PostgreSQL server.`,
        );
        if (waitedMs >= abandonMs) probe.reset();
      }
    }
    await committing;
  }

  #accept(): void {
    this.#first.resolve(this.#state);
    if (this.#state.kind === "accepted" || this.#stop.signal.aborted) return;
    this.#state = accepted;
    this.#options.logger.info("the database accepts writes again");
    this.#options.onChange?.(this.#state);
  }

  /**
   * Handles a failed probe. A lost connection does not block writes: reads fail too, and readiness reports it. A server that
   * rejects the probe may still accept writes.
   */
  #failed(error: unknown): void {
    const { state = "" } = sqlFailure(causeOf(error)) ?? {};
    if (!this.#stop.signal.aborted && refusedStates.test(state))
      this.#blocked("refused", `PostgreSQL refuses writes: ${messageOf(error)}`);
    this.#first.resolve(this.#state);
  }

  #blocked(cause: Extract<WriteState, { kind: "blocked" }>["cause"], reason: string): void {
    const isNew = this.#state.kind !== "blocked" || this.#state.reason !== reason;
    this.#state = { kind: "blocked", cause, reason };
    this.#first.resolve(this.#state);
    if (!isNew) return;
    this.#options.logger.error({ cause, reason }, "the database accepts no writes");
    this.#options.onChange?.(this.#state);
    for (const reject of this.#waiting) reject(unavailable(reason));
  }
}

function unavailable(reason: string): Error {
  return errors.StoreUnavailable(`The database accepts no writes. ${reason}`);
}

function causeOf(error: unknown): unknown {
  return error instanceof Error && error.cause !== undefined ? error.cause : error;
}
