import { type Clock, type Logger, messageOf } from "@keelson/base";
import { errors } from "../documents/errors.ts";
import type { WriteState } from "../documents/write-state.ts";
import { sqlFailure } from "../drivers/driver.ts";

export interface WriteProbeTimes {
  /** Interval of probes. */
  readonly everyMs: number;
  /** A probe that takes longer blocks writes. A write waits at most for `everyMs` and this. */
  readonly limitMs: number;
}

/** Time after which a connection is replaced if its server does not wait for a standby. */
const abandonMs = 60_000;

/** SQLSTATEs of a server that cannot write: resources except connections, files, internal errors. */
const refusedStates = /^(53(?!3)...|58...|XX...)$/;

const accepted: WriteState = { kind: "accepted" };

export interface WriteProbe {
  /** Commits something small. Resolves when the commit is confirmed. @throws StoreUnavailable, errors with SQLSTATE */
  commit(): Promise<void>;
  /** Returns the setting `synchronous_standby_names` if sessions of this role wait for a standby. */
  awaitedStandbys(): Promise<string | undefined>;
  /** Closes the probe's connection. The next `commit` opens a new one. */
  reset(): void;
}

export interface WriteGateOptions extends WriteProbeTimes {
  readonly probe: WriteProbe;
  /** Called with each new state. */
  readonly onChange?: (state: WriteState) => void;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Refuses writes while commits do not end, for example without a synchronous standby. PostgreSQL ends such a commit neither
 * by its statement timeout nor when the client disconnects, so each attempt would occupy one of its connections.
 */
export class WriteGate implements AsyncDisposable {
  readonly #options: WriteGateOptions;
  readonly #stop = new AbortController();
  readonly #first = Promise.withResolvers<WriteState>();
  #state: WriteState = accepted;
  /** Rejects each write in progress. */
  readonly #waiting = new Set<(error: Error) => void>();

  constructor(options: WriteGateOptions) {
    this.#options = options;
    void this.#run();
  }

  /** State that the first probe finds. */
  get first(): Promise<WriteState> {
    return this.#first.promise;
  }

  get state(): WriteState {
    return this.#state;
  }

  /** Rejects when writes are or become blocked; the write may or may not have happened. @throws StoreUnavailable */
  async guard<T>(write: () => Promise<T>): Promise<T> {
    if (this.#state.kind === "blocked") throw unavailable(this.#state.reason);
    // A race with one promise for all writes would keep a reaction of each write for as long as that promise is pending.
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
   * A lost connection reveals nothing about writes: reads fail as well, and readiness reports that. A server that does not
   * allow the probe may allow writes.
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
