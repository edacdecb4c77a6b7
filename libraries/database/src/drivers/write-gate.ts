import { type Clock, type Logger, messageOf, poll } from "@keelson/base";
import { errors } from "../documents/errors.ts";
import type { FirstProbe, WriteBlockCause, WriteState } from "../documents/write-state.ts";

export interface WriteProbeTimes {
  /** Interval of the write probes, in ms. */
  readonly everyMs: number;
  /**
   * Time limit of a probe, in ms. If a probe exceeds this limit, writes are blocked. A write therefore waits at most for
   * `everyMs` plus `limitMs`.
   */
  readonly limitMs: number;
}

/**
 * Time in ms after which a probe without a response gets a new connection. A probe that waits for a synchronous standby does not
 * get a new connection.
 */
const abandonMs = 60_000;

const accepted: WriteState = { kind: "accepted" };

/** Cause and reason of blocked writes. */
export interface WriteBlock {
  readonly cause: WriteBlockCause;
  /** Reason in one sentence. */
  readonly reason: string;
}

export interface WriteProbe {
  /** Performs a small commit. Resolves when the server confirms it. @throws the error of the commit */
  commit(): Promise<void>;
  /** Returns a reason if the error of a probe proves that the server accepts no writes. Writes are then blocked. */
  refusal(error: unknown): string | undefined;
  /**
   * Returns a reason if the error of a service's write proves that the server accepts no writes, for example a full disk. Writes
   * are then blocked until the next probe. Default: only probes block writes.
   */
  writeRefusal?(error: unknown): string | undefined;
  /** Returns the cause and reason to block writes after a commit that did not complete within `limitMs`. */
  stalled(limitMs: number): Promise<WriteBlock>;
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
 * Rejects writes while commits do not complete. PostgreSQL commits wait if the synchronous standby is missing. Neither the
 * statement timeout nor a disconnect of the client cancels such a commit. Without this gate, each further write would therefore
 * occupy a server connection.
 */
export class WriteGate implements AsyncDisposable {
  readonly #options: WriteGateOptions;
  readonly #stop = new AbortController();
  readonly #first = Promise.withResolvers<FirstProbe>();
  #state: WriteState = accepted;
  /** Functions that reject the writes in progress. */
  readonly #waiting = new Set<(error: Error) => void>();

  constructor(options: WriteGateOptions) {
    this.#options = options;
    void this.#run();
  }

  /** Result of the first probe. */
  get first(): Promise<FirstProbe> {
    return this.#first.promise;
  }

  get state(): WriteState {
    return this.#state;
  }

  /**
   * Runs a write. Rejects if writes are blocked before or during the write. A write that was rejected after its start may have
   * been applied.
   * @throws StoreUnavailable
   */
  async guard<T>(write: () => Promise<T>): Promise<T> {
    if (this.#state.kind === "blocked") throw unavailable(this.#state.reason);
    // Each write has a separate promise. A race with one shared promise would keep a callback per write for as long as the shared
    // promise is pending.
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    this.#waiting.add(reject);
    write().then(resolve, (error: unknown) => {
      reject(error);
      const reason = this.#options.probe.writeRefusal?.(error);
      if (reason !== undefined && !this.#stop.signal.aborted) this.#blocked({ cause: "refused", reason });
    });
    try {
      return await promise;
    } finally {
      this.#waiting.delete(reject);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    this.#first.resolve({ kind: "failed", reason: "The database was closed." });
    this.#options.probe.reset();
  }

  async #run(): Promise<void> {
    const { clock, everyMs, logger } = this.#options;
    const { signal } = this.#stop;
    const onError = (error: unknown) =>
      logger.error({ reason: messageOf(error) }, "the write probe failed unexpectedly");
    await this.#probe().catch(onError);
    await poll({ everyMs, clock, signal, onError }, () => this.#probe());
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
      const block = await probe.stalled(limitMs);
      if (ended.aborted) break;
      this.#blocked(block);
      if (block.cause === "timeout" && waitedMs >= abandonMs) probe.reset();
    }
    await committing;
  }

  #accept(): void {
    this.#first.resolve(accepted);
    if (this.#state.kind === "accepted" || this.#stop.signal.aborted) return;
    this.#state = accepted;
    this.#options.logger.info("the database accepts writes again");
    this.#options.onChange?.(this.#state);
  }

  /**
   * Handles a failed probe. Writes are blocked only if the error proves that the server accepts no writes. A lost connection does
   * not block writes, because reads fail too and the readiness check reports the failure.
   */
  #failed(error: unknown): void {
    const reason = this.#options.probe.refusal(error);
    if (!this.#stop.signal.aborted && reason !== undefined) this.#blocked({ cause: "refused", reason });
    this.#first.resolve(
      this.#state.kind === "blocked" ? this.#state : { kind: "failed", reason: messageOf(error) },
    );
  }

  #blocked({ cause, reason }: WriteBlock): void {
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
