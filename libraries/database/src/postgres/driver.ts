import type { Logger } from "@keelson/base";
import pg from "pg";
import { errors } from "../documents/errors.ts";
import type {
  ChannelListener,
  Connection,
  Driver,
  Row,
  Session,
  SqlValue,
  Statement,
} from "../drivers/driver.ts";
import { type ServerAddress, translate } from "./unavailable.ts";

export interface PostgresOptions {
  /** `postgres://user:password@host:5432/database`, with libpq's query parameters such as `sslmode`. */
  readonly url: string;
  /** Default 10. The change feed uses one additional connection. */
  readonly maxConnections?: number;
  /** Also the longest wait for a free connection. Default 5,000. */
  readonly connectTimeoutMs?: number;
  /** Time limit of a statement on the server. Migrations have no limit. Default 30,000. */
  readonly statementTimeoutMs?: number;
}

/**
 * Factor of `statementTimeoutMs`: the client's own limit covers a server or network that does not respond.
 */
const answerTimeoutFactor = 4 / 3;
const heartbeatMs = 30_000;

/** A PostgreSQL server. @throws InvalidStoreUrl */
export function postgresDriver(options: PostgresOptions): Driver {
  const statementTimeoutMs = options.statementTimeoutMs ?? 30_000;
  const config: pg.PoolConfig = {
    connectionString: options.url,
    max: options.maxConnections ?? 10,
    connectionTimeoutMillis: options.connectTimeoutMs ?? 5_000,
    statement_timeout: statementTimeoutMs,
    query_timeout: statementTimeoutMs * answerTimeoutFactor,
    idle_in_transaction_session_timeout: statementTimeoutMs,
    application_name: "keelson",
    keepAlive: true,
    onConnect: prepareSession,
    // Every column is read as text, in both drivers.
    types: { getTypeParser: () => (text: string) => text },
  };
  const address = addressOf(config);
  return {
    name: "postgres",
    exclusive: false,
    async open({ logger, signal }) {
      const connection = new PostgresConnection(config, address, logger);
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

class PostgresConnection implements Connection {
  readonly notifiesLater = true;
  readonly #config: pg.PoolConfig;
  readonly #address: ServerAddress;
  readonly #pool: pg.Pool;
  #closed = false;

  constructor(config: pg.PoolConfig, address: ServerAddress, logger: Logger) {
    this.#config = config;
    this.#address = address;
    this.#pool = new pg.Pool(config);
    // A connection that breaks also fails its query; unheard, the event would end the process.
    this.#pool.on("connect", (client) => client.on("error", () => {}));
    this.#pool.on("error", (error) =>
      logger.warn({ reason: error.message }, "idle database connection lost"),
    );
  }

  query(statement: Statement, values: readonly SqlValue[], signal: AbortSignal): Promise<readonly Row[]> {
    return this.#withClient((client) => send(client, statement, values), signal);
  }

  async session<T>(work: (session: Session) => Promise<T>, signal: AbortSignal): Promise<T> {
    signal.throwIfAborted();
    const { query_timeout: _, ...config } = this.#config;
    const client = new pg.Client({ ...config, statement_timeout: 0, idle_in_transaction_session_timeout: 0 });
    // A connection that breaks also fails its query.
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

  /** Uses a separate connection with a periodic heartbeat to detect a dead one. */
  async listen(channel: string, listener: ChannelListener, signal: AbortSignal): Promise<void> {
    const client = new pg.Client(this.#config);
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

  /** The server has autovacuum and a checkpointer. */
  async maintain(): Promise<void> {}

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#pool.end();
  }

  async #withClient<T>(work: (client: pg.PoolClient) => Promise<T>, signal: AbortSignal): Promise<T> {
    signal.throwIfAborted();
    const client = await this.#pool.connect().catch((error: unknown) => {
      throw translate(error, this.#address);
    });
    let released = false;
    const release = (destroy: boolean) => {
      if (released) return;
      released = true;
      client.release(destroy);
    };
    // Closing the connection makes the current query fail immediately.
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
      release(translated !== error);
      throw translated;
    } finally {
      signal.removeEventListener("abort", abort);
      release(true);
    }
  }
}

/**
 * Prepares a session. Plans are cached, and the plan of a small table would later scan a large one: every
 * query has an index. A standby is rejected, because its data can be old and an address can still point to
 * the former primary after a failover.
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

async function send(
  client: pg.ClientBase,
  statement: Statement,
  values: readonly SqlValue[],
): Promise<readonly Row[]> {
  return (await client.query<Row>({ ...statement, values: [...values] })).rows;
}

/** Returns the address that `pg` parses from the URL, including defaults, without the password. */
function addressOf(config: pg.ClientConfig): ServerAddress {
  try {
    const { host, port, database } = new pg.Client(config);
    return { host, port, database };
  } catch {
    // The error is not the cause, because it contains the URL with the password.
    throw errors.InvalidStoreUrl(
      "The URL of the database cannot be parsed. It has the form postgres://user:password@host:5432/database.",
    );
  }
}
