import { type Clock, type Logger, messageOf } from "@keelson/base";
import pg from "pg";
import { sqlFailure } from "../drivers/driver.ts";

/** SQLSTATE `too_many_connections`: the limit of the server, of the database or of the role. */
const tooManyConnections = "53300";
/** Interval in ms after which the pool may open one more connection than the server accepted last. */
const growMs = 1_000;
/** Interval in ms of the attempts of a pool without connections. */
const retryMs = 250;

export interface ClientPoolOptions {
  readonly config: pg.PoolConfig & { readonly max: number; readonly connectionTimeoutMillis: number };
  /** Called for each connection that could not be opened or was lost while idle. */
  readonly onFailure: () => void;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Connection pool. While the server refuses further connections because of a connection limit, the pool shares its open
 * connections.
 */
export class ClientPool {
  readonly #pool: pg.Pool;
  readonly #options: ClientPoolOptions;
  /** Time of the last change of the pool's reduced size. Undefined while the pool has its configured size. */
  #changedMs: number | undefined;

  constructor(options: ClientPoolOptions) {
    const { config, logger, onFailure } = options;
    this.#options = options;
    this.#pool = new pg.Pool(config);
    // A broken connection also fails its query. Without a listener, the error event would terminate the process.
    this.#pool.on("connect", (client) => client.on("error", () => {}));
    this.#pool.on("error", (error) => {
      onFailure();
      logger.warn({ reason: error.message }, "idle database connection lost");
    });
  }

  get size(): { readonly open: number; readonly idle: number; readonly waiting: number } {
    const { totalCount: open, idleCount: idle, waitingCount: waiting } = this.#pool;
    return { open, idle, waiting };
  }

  /** Calls `listener` after each change of `size`. */
  onChange(listener: () => void): void {
    for (const event of ["connect", "acquire", "release", "remove"] as const) this.#pool.on(event, listener);
  }

  /**
   * Returns a free connection. Opens a connection if all are in use. If the server refuses it because of a connection limit, waits
   * for a connection of the pool.
   * @throws the error of the server or of the network
   */
  async connect(signal: AbortSignal): Promise<pg.PoolClient> {
    const { clock, config, onFailure } = this.#options;
    const endMs = clock.monotonicMs() + config.connectionTimeoutMillis;
    for (let refusal: unknown; ; ) {
      this.#grow();
      try {
        return await this.#pool.connect();
      } catch (error) {
        onFailure();
        const isRefused = sqlFailure(error)?.state === tooManyConnections;
        if (isRefused) this.#shrink(error);
        // The pool's time limit has a less specific error than the server.
        refusal = isRefused ? error : (refusal ?? error);
        if (!isRefused || clock.monotonicMs() >= endMs) throw refusal;
      }
      if (this.#pool.totalCount === 0) await clock.sleep(retryMs, signal);
      signal.throwIfAborted();
    }
  }

  async end(): Promise<void> {
    await this.#pool.end();
  }

  /** Reduces the pool to its open connections. Further statements then wait for one of them. */
  #shrink(refusal: unknown): void {
    const { clock, logger } = this.#options;
    const connections = this.#pool.totalCount;
    if (this.#changedMs === undefined)
      logger.warn({ reason: messageOf(refusal), connections }, "database server refuses more connections");
    this.#pool.options.max = Math.max(1, connections);
    this.#changedMs = clock.monotonicMs();
  }

  #grow(): void {
    const { clock, config } = this.#options;
    if (this.#changedMs === undefined || clock.monotonicMs() - this.#changedMs < growMs) return;
    this.#pool.options.max++;
    this.#changedMs = this.#pool.options.max < config.max ? clock.monotonicMs() : undefined;
  }
}
