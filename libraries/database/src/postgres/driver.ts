import { isCoded, type Logger, messageOf, systemClock, timeLimit } from "@keelson/base";
import pg from "pg";
import { errors } from "../documents/errors.ts";
import type { FirstProbe, WriteState } from "../documents/write-state.ts";
import type {
  ChannelListener,
  Connection,
  Driver,
  Row,
  Session,
  SqlValue,
  Statement,
} from "../drivers/driver.ts";
import { StatementNames } from "../drivers/statement-name.ts";
import type { StoreObserver } from "../drivers/store-observer.ts";
import { WriteGate, type WriteProbeTimes } from "../drivers/write-gate.ts";
import { ClientPool } from "./client-pool.ts";
import { CommitProbe } from "./commit-probe.ts";
import { type ServerAddress, translate } from "./unavailable.ts";

export interface PostgresOptions {
  /**
   * `postgres://user:password@host:5432/database` with libpq query parameters such as `sslmode`. If this is a function, it is
   * called for each new connection and returns the URL.
   */
  readonly url: string | (() => string);
  /** Returns the password for a new connection. This password replaces the password in the URL. */
  readonly password?: () => Promise<string>;
  /**
   * Maximum number of connections for statements. Default: 10. Notifications and the commit probe each use one additional
   * connection.
   */
  readonly maxConnections?: number;
  /** Time limit for connecting, and for waiting for a free connection. Default: 5,000 ms. */
  readonly connectTimeoutMs?: number | undefined;
  /**
   * Times of the write probe, in milliseconds. By default, it runs every 4,000 ms, and writes are blocked after 4,000 ms without
   * success.
   */
  readonly writeProbe?: WriteProbeTimes;
  /** Time limit of a statement on the server. Migrations have no limit. Default: 30,000 ms. */
  readonly statementTimeoutMs?: number;
}

/**
 * Factor by which the client's time limit exceeds `statementTimeoutMs`. The client's limit applies if the server or network does
 * not respond.
 */
const responseTimeoutFactor = 4 / 3;
const heartbeatMs = 30_000;
const probeReadMs = 5_000;

/** Returns a driver for a PostgreSQL server. @throws InvalidStoreUrl */
export function postgresDriver(options: PostgresOptions): Driver {
  const statementTimeoutMs = options.statementTimeoutMs ?? 30_000;
  const { url } = options;
  const config: PostgresConfig = {
    urlNow: typeof url === "string" ? () => url : url,
    writeProbe: options.writeProbe ?? { everyMs: 4_000, limitMs: 4_000 },
    passwordNow: options.password,
    max: options.maxConnections ?? 10,
    connectionTimeoutMillis: options.connectTimeoutMs ?? 5_000,
    statement_timeout: statementTimeoutMs,
    query_timeout: statementTimeoutMs * responseTimeoutFactor,
    idle_in_transaction_session_timeout: statementTimeoutMs,
    application_name: "keelson",
    keepAlive: true,
    onConnect: prepareSession,
    // Returns every column as text, like the PGlite driver.
    types: { getTypeParser: () => (text: string) => text },
  };
  const address = addressOf(config);
  const pooled = { ...config, Client: clientOf(config) };
  return {
    name: "postgres",
    exclusive: false,
    async open({ logger, signal }) {
      const connection = new PostgresConnection(pooled, address, logger);
      try {
        await connection.query({ text: "select 1" }, [], signal);
        return connection;
      } catch (error) {
        await connection[Symbol.asyncDispose]();
        throw error;
      }
    },
  };
}

type PooledConfig = PostgresConfig & { readonly Client: typeof pg.Client };

interface PostgresConfig extends pg.PoolConfig {
  readonly max: number;
  readonly connectionTimeoutMillis: number;
  readonly urlNow: () => string;
  readonly writeProbe: WriteProbeTimes;
  readonly passwordNow?: (() => Promise<string>) | undefined;
}

/** Returns the client class of the pool. Each client connects with the current URL and password. */
function clientOf({ urlNow, passwordNow }: PostgresConfig): typeof pg.Client {
  // If the password cannot be read, only this connection fails. The next connection reads the password again.
  const password = () =>
    passwordNow?.().catch((cause: unknown) => {
      throw errors.StoreUnavailable(messageOf(cause), { cause });
    });
  return class extends pg.Client {
    constructor(config?: pg.ClientConfig | string) {
      super({ ...(typeof config === "string" ? {} : config), connectionString: urlNow() });
      // Sets the property, because a password in the URL takes precedence over the option.
      if (passwordNow) Object.assign(this, { password });
    }
  };
}

class PostgresConnection implements Connection {
  readonly notifiesLater = true;
  readonly #config: PooledConfig;
  readonly #address: ServerAddress;
  readonly #pool: ClientPool;
  readonly #logger: Logger;
  readonly #names = new StatementNames();
  #observer: StoreObserver | undefined;
  #gate: WriteGate | undefined;
  #closed = false;

  constructor(config: PooledConfig, address: ServerAddress, logger: Logger) {
    this.#config = config;
    this.#address = address;
    this.#logger = logger;
    const onFailure = () => this.#observer?.connectionFailed();
    this.#pool = new ClientPool({ config, onFailure, clock: systemClock, logger });
  }

  async query(
    statement: Statement,
    values: readonly SqlValue[],
    signal: AbortSignal,
  ): Promise<readonly Row[]> {
    const observer = this.#observer;
    if (!observer) return await this.#query(statement, values, signal);
    const started = performance.now();
    let outcome: "completed" | "failed" = "failed";
    try {
      const rows = await this.#query(statement, values, signal);
      outcome = "completed";
      return rows;
    } finally {
      const seconds = (performance.now() - started) / 1_000;
      observer.statement(this.#names.nameOf(statement), seconds, outcome);
    }
  }

  #query(statement: Statement, values: readonly SqlValue[], signal: AbortSignal): Promise<readonly Row[]> {
    const work = (client: pg.ClientBase) => send(client, statement, values);
    const gate = isWrite(statement) ? this.#gate : undefined;
    if (!gate) return this.#withClient(work, signal);
    // The outer guard also covers the wait for a connection. If the inner guard rejects an incomplete write, the write's
    // connection is removed from the pool.
    return gate.guard(() => this.#withClient((client) => gate.guard(() => work(client)), signal));
  }

  observe(observer: StoreObserver): void {
    this.#observer = observer;
    const report = () => observer.pool(this.#pool.size);
    this.#pool.onChange(report);
    report();
  }

  async probeWrites(): Promise<FirstProbe> {
    const probe = new CommitProbe(
      () => new this.#config.Client({ ...this.#config, statement_timeout: 0, query_timeout: 0 }),
      (text) => this.#withClient((client) => send(client, { text }, []), timeLimit(probeReadMs)),
      this.#address,
    );
    this.#gate ??= new WriteGate({
      probe,
      ...this.#config.writeProbe,
      onChange: (state) => this.#observer?.writes(state),
      clock: systemClock,
      logger: this.#logger,
    });
    return await this.#gate.first;
  }

  writes(): WriteState {
    return this.#gate?.state ?? { kind: "accepted" };
  }

  async session<T>(work: (session: Session) => Promise<T>, signal: AbortSignal): Promise<T> {
    signal.throwIfAborted();
    const { query_timeout: _, ...config } = this.#config;
    const client = new this.#config.Client({
      ...config,
      statement_timeout: 0,
      idle_in_transaction_session_timeout: 0,
    });
    // Ignores the error event, because a broken connection also fails its query.
    client.on("error", () => {});
    const abort = () => void client.end().catch(() => {});
    try {
      await client.connect();
      signal.addEventListener("abort", abort, { once: true });
      signal.throwIfAborted();
      await refuseStandby(client);
      return await work(sessionOf(client));
    } catch (error) {
      signal.throwIfAborted();
      throw translate(error, this.#address);
    } finally {
      signal.removeEventListener("abort", abort);
      await client.end().catch(() => {});
    }
  }

  /** Listens on a separate connection. A periodic heartbeat detects a dead connection. */
  async listen(channel: string, listener: ChannelListener, signal: AbortSignal): Promise<void> {
    const client = new this.#config.Client(this.#config);
    const lost = Promise.withResolvers<never>();
    lost.promise.catch(() => {});
    client.on("error", lost.reject);
    client.on("end", () => lost.reject(new Error("Connection terminated")));
    client.on("notification", ({ payload = "" }) => listener.notified(payload));
    const stop = () => lost.reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    const heartbeat = setInterval(() => client.query("select 1").catch(lost.reject), heartbeatMs);
    try {
      signal.throwIfAborted();
      await client.connect();
      await client.query(`listen ${channel}`);
      listener.listening();
      await lost.promise;
    } catch (error) {
      if (!signal.aborted) throw translate(error, this.#address);
    } finally {
      clearInterval(heartbeat);
      signal.removeEventListener("abort", stop);
      await client.end().catch(() => {});
    }
  }

  /** Does nothing: the server has autovacuum and a checkpointer. */
  async maintain(): Promise<void> {}

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#gate?.[Symbol.asyncDispose]();
    await this.#pool.end();
  }

  async #withClient<T>(work: (client: pg.ClientBase) => Promise<T>, signal: AbortSignal): Promise<T> {
    signal.throwIfAborted();
    const { client, release } = await this.#pool.connect().catch((error: unknown) => {
      signal.throwIfAborted();
      throw translate(error, this.#address);
    });
    // Closing the connection makes the active query fail immediately.
    const abort = () => release(true);
    signal.addEventListener("abort", abort, { once: true });
    try {
      signal.throwIfAborted();
      const result = await work(client);
      release(false);
      return result;
    } catch (error) {
      signal.throwIfAborted();
      const translated = translate(error, this.#address);
      // Closes the connection of an abandoned write, because the write may still be running.
      release(translated !== error || isCoded(error, "StoreUnavailable"));
      throw translated;
    } finally {
      signal.removeEventListener("abort", abort);
      release(true);
    }
  }
}

/**
 * Configures and checks a session. Sequential scans are disabled, because every query has an index. Without this setting,
 * PostgreSQL could cache a plan that scans a small table, and still use the plan after the table has grown. A standby is
 * rejected, because its data can be outdated. After a failover, the address may still point to the former primary.
 */
async function prepareSession(client: pg.ClientBase): Promise<void> {
  await client.query("set enable_seqscan = off");
  await refuseStandby(client);
}

/** @throws StoreUnavailable */
async function refuseStandby(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<Row>("show transaction_read_only");
  if (rows[0]?.transaction_read_only !== "on") return;
  throw errors.StoreUnavailable(
    "PostgreSQL accepts no writes: it is a standby or a former primary. Point the address to the primary.",
  );
}

function sessionOf(client: pg.ClientBase): Session {
  return {
    query: (statement, values) => send(client, statement, values),
    execute: async (sql) => {
      await client.query(sql);
    },
  };
}

const writing = /\b(?:insert into|update\b|delete from|for share|acquire_\w+\()/i;
const writesByName = new Map<string, boolean>();

/**
 * True for statements that write data or lock rows. The result is cached for named statements, because there are only a few of
 * them.
 */
function isWrite({ name, text }: Statement): boolean {
  if (name === undefined) return writing.test(text);
  const known = writesByName.get(name) ?? writing.test(text);
  writesByName.set(name, known);
  return known;
}

async function send(
  client: pg.ClientBase,
  statement: Statement,
  values: readonly SqlValue[],
): Promise<readonly Row[]> {
  return (await client.query<Row>({ ...statement, values: [...values] })).rows;
}

/** Returns the server address that `pg` parses from the URL, including defaults. Excludes the password. */
function addressOf(config: PostgresConfig): ServerAddress {
  try {
    const { host, port, database } = new (clientOf(config))(config);
    return { host, port, database };
  } catch (error) {
    // `pg` reads the files that the parameters of the URL name. The error of the file system contains only the path.
    if (error instanceof Error && "syscall" in error)
      throw errors.InvalidStoreUrl(
        `A file that the URL of the database names cannot be read: ${error.message}`,
      );
    // The error is not set as `cause`, because it contains the URL with the password.
    throw errors.InvalidStoreUrl(
      "The URL of the database cannot be parsed. It has the form postgres://user:password@host:5432/database.",
    );
  }
}
