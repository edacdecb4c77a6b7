import { mkdir } from "node:fs/promises";
import { PGlite } from "@electric-sql/pglite";
import { aborted } from "@keelson/base";
import type { Connection, Driver, Row, SqlValue, Statement } from "../driver.ts";
import { errors } from "../errors.ts";

export interface PgliteOptions {
  /** Created when absent. One process at a time may have it open. In memory when undefined. */
  readonly dataDir: string | undefined;
}

/**
 * PostgreSQL inside this process. What was committed survives the death of the process; it is not flushed to the
 * disk at every commit, so a power cut can lose the last moments.
 */
export function pgliteDriver({ dataDir }: PgliteOptions): Driver {
  return {
    name: "pglite",
    async open({ signal }) {
      signal.throwIfAborted();
      if (dataDir === undefined) return connectionTo(await PGlite.create());
      try {
        await mkdir(dataDir, { recursive: true });
        return connectionTo(await PGlite.create({ dataDir }));
      } catch (cause) {
        throw errors.StoreUnavailable(`The database in ${dataDir} does not open.`, { cause });
      }
    },
  };
}

/** PGlite has one session and queues for it by itself: a transaction keeps all others out. */
function connectionTo(database: PGlite): Connection {
  const ready = (signal: AbortSignal) => {
    signal.throwIfAborted();
    if (database.closed) throw errors.StoreUnavailable("The embedded database is closed.");
  };
  return {
    async query(statement, values, signal) {
      ready(signal);
      return send(database, statement, values);
    },
    async transaction(work, signal) {
      ready(signal);
      return database.transaction((transaction) =>
        work({
          query: (statement, values) => send(transaction, statement, values),
          execute: async (sql) => {
            await transaction.exec(sql);
          },
        }),
      );
    },
    async listen(channel, listener, signal) {
      ready(signal);
      const stop = await database.listen(channel, (payload) => listener.notified(payload));
      listener.listening();
      await aborted(signal);
      if (!database.closed) await stop();
    },
    /** A server does this in background processes, which PGlite does not have: its files would only grow. */
    async maintain(tables, signal) {
      for (const table of tables) {
        ready(signal);
        await database.exec(`vacuum analyze ${table}`);
      }
      await database.exec("checkpoint");
    },
    async [Symbol.asyncDispose]() {
      if (!database.closed) await database.close();
    },
  };
}

async function send(
  session: Pick<PGlite, "query">,
  { text }: Statement,
  values: readonly SqlValue[],
): Promise<readonly Row[]> {
  try {
    return (await session.query<Row>(text, [...values])).rows;
  } catch (error) {
    // PGlite attaches the values, which are whole documents and may end in a log.
    if (error instanceof Error) Reflect.deleteProperty(error, "params");
    throw error;
  }
}
