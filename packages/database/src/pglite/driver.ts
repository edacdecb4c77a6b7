import { mkdir } from "node:fs/promises";
import { PGlite } from "@electric-sql/pglite";
import { aborted } from "@keelson/base";
import type { Connection, Driver, Row, Session } from "../driver.ts";
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
  return {
    async query({ text }, values, signal) {
      signal.throwIfAborted();
      return (await database.query<Row>(text, [...values])).rows;
    },
    async transaction(work, signal) {
      signal.throwIfAborted();
      return database.transaction((transaction) => {
        const session: Session = {
          query: async ({ text }, values) => (await transaction.query<Row>(text, [...values])).rows,
          execute: async (sql) => {
            await transaction.exec(sql);
          },
        };
        return work(session);
      });
    },
    async listen(channel, listener, signal) {
      const stop = await database.listen(channel, (payload) => listener.notified(payload));
      listener.listening();
      await aborted(signal);
      if (!database.closed) await stop();
    },
    /** A server does both in background processes, which PGlite does not have. */
    async maintain(tables, signal) {
      signal.throwIfAborted();
      for (const table of tables) await database.exec(`vacuum analyze ${table}`);
      await database.exec("checkpoint");
    },
    async [Symbol.asyncDispose]() {
      if (!database.closed) await database.close();
    },
  };
}
