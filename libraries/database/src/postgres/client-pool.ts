import { type Clock, type Logger, messageOf } from "@keelson/base";
import pg from "pg";
import { sqlFailure } from "../drivers/driver.ts";
import type { PoolSize } from "../drivers/store-observer.ts";
import { Turns } from "./turns.ts";

/** SQLSTATE `too_many_connections`: the limit of the server, of the database or of the role. */
const tooManyConnections = "53300";
/** Interval in ms after which the pool may open one more connection than the server accepted last. */
const growMs = 500;

export interface ClientPoolOptions {
  readonly config: pg.PoolConfig & { readonly max: number; readonly connectionTimeoutMillis: number };
  /** Called for each connection that could not be opened in time, and for each idle connection that was lost. */
  readonly onFailure: () => void;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Connection of a pool during one use. */
export interface PooledClient {
  readonly client: pg.ClientBase;
  /** Returns the connection to the pool, or closes it. Only the first call has an effect. */
  release(destroy: boolean): void;
}

/**
 * Connection pool. If the server refuses a connection because of a connection limit, the pool shares its open connections, and
 * opens further connections slowly.
 */
export class ClientPool {
  readonly #pool: pg.Pool;
  readonly #options: ClientPoolOptions;
  /** Uses of connections. The pool itself therefore never queues a use for lack of connections. */
  readonly #uses: Turns;
  readonly #stop = new AbortController();
  /** Last refusal of the server. Undefined while the pool has its configured size. */
  #refusal: unknown;

  constructor(options: ClientPoolOptions) {
    const { config, logger, onFailure } = options;
    this.#options = options;
    this.#uses = new Turns(config.max);
    this.#pool = new pg.Pool(config);
    // A broken connection also fails its query. Without a listener, the error event would terminate the process.
    this.#pool.on("connect", (client) => client.on("error", () => {}));
    this.#pool.on("error", (error) => {
      onFailure();
      logger.warn({ reason: error.message }, "idle database connection lost");
    });
  }

  get size(): PoolSize {
    const { totalCount: open, idleCount: idle } = this.#pool;
    return { open, idle, waiting: this.#uses.waiting };
  }

  /** Calls `listener` after each change of the number of open or idle connections. */
  onChange(listener: () => void): void {
    for (const event of ["connect", "acquire", "release", "remove"] as const) this.#pool.on(event, listener);
  }

  /**
   * Returns a free connection. Opens one if fewer than the maximum are open. Otherwise, or if the server refuses a further connection,
   * waits for one.
   * @throws the error of the server or of the network
   */
  async connect(): Promise<PooledClient> {
    const { clock, config, onFailure } = this.#options;
    const endMs = clock.monotonicMs() + config.connectionTimeoutMillis;
    for (let isRefused = false; ; isRefused = true) {
      if (!this.#uses.takeNow()) {
        const limitMs = endMs - clock.monotonicMs();
        if (!(await this.#uses.take({ limitMs, isFirst: isRefused }))) {
          if (!isRefused) onFailure();
          throw this.#refusal ?? new Error("timeout exceeded while waiting for a free connection");
        }
      }
      try {
        return this.#pooled(await this.#pool.connect());
      } catch (error) {
        onFailure();
        const isToRetry = sqlFailure(error)?.state === tooManyConnections;
        if (isToRetry) this.#shrink(error);
        this.#uses.leave();
        if (!isToRetry) throw error;
      }
    }
  }

  async end(): Promise<void> {
    this.#stop.abort();
    await this.#pool.end();
  }

  #pooled(client: pg.PoolClient): PooledClient {
    let isReleased = false;
    return {
      client,
      release: (destroy) => {
        if (isReleased) return;
        isReleased = true;
        client.release(destroy);
        this.#uses.leave();
      },
    };
  }

  /** Reduces the pool to its open connections. */
  #shrink(refusal: unknown): void {
    const { totalCount: connections } = this.#pool;
    this.#uses.limit = Math.min(this.#uses.limit, connections);
    const isNew = this.#refusal === undefined;
    this.#refusal = refusal;
    if (!isNew) return;
    const reason = messageOf(refusal);
    this.#options.logger.warn({ reason, connections }, "database server refuses further connections");
    void this.#grow();
  }

  /** Increases the pool to its configured size, one connection at a time. */
  async #grow(): Promise<void> {
    const { clock, config } = this.#options;
    const { signal } = this.#stop;
    while (this.#uses.limit < config.max) {
      await clock.sleep(growMs, signal).catch(() => undefined);
      if (signal.aborted) return;
      this.#uses.limit++;
    }
    this.#refusal = undefined;
  }
}
