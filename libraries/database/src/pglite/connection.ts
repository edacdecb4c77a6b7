import { Mutex, PGlite, type PGliteOptions } from "@electric-sql/pglite";
import { aborted, messageOf } from "@keelson/base";
import { errors } from "../documents/errors.ts";
import { type Connection, type Session, sqlFailure } from "../drivers/driver.ts";
import { StatementCache } from "./statement-cache.ts";

/**
 * Uses smaller buffers than the default of 128 MB. The file cache of the operating system contains the same data, and PostgreSQL
 * never frees used buffers.
 */
const startParams = [...PGlite.defaultStartParams, "-c", "shared_buffers=16MB"];

export function createPglite(options: PGliteOptions): Promise<PGlite> {
  return PGlite.create({ ...options, startParams });
}

/**
 * Returns a connection to PGlite. PGlite has a single session, so calls run sequentially. Disposal waits for earlier calls and
 * calls `close` once.
 */
export function pgliteConnection(database: PGlite, close: () => Promise<void>): Connection {
  let isClosed = false;
  const statements = new StatementCache(database);
  const turns = new Mutex();
  const inTurn = <T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> =>
    turns.runExclusive(async () => {
      signal.throwIfAborted();
      if (isClosed) throw errors.StoreUnavailable("The embedded database is closed.");
      try {
        return await work();
      } catch (error) {
        throw translate(error);
      }
    });
  const session: Session = {
    query: (statement, values) => statements.query(statement, values),
    execute: async (sql) => {
      await database.exec(sql);
    },
  };
  return {
    notifiesLater: false,
    query: (statement, values, signal) => inTurn(signal, () => statements.query(statement, values)),
    session: (work, signal) => inTurn(signal, () => work(session)),
    async listen(channel, listener, signal) {
      const notified = (payload: string) => listener.notified(payload);
      await inTurn(signal, () => database.listen(channel, notified));
      listener.listening();
      await aborted(signal);
      await turns.runExclusive(async () => {
        if (!isClosed) await database.unlisten(channel, notified);
      });
    },
    /**
     * Vacuums the tables and writes a checkpoint. Without these calls, the files would grow without limit, because PGlite has no
     * background processes.
     */
    async maintain(tables, signal) {
      for (const table of tables) await inTurn(signal, () => database.exec(`vacuum analyze ${table}`));
      await inTurn(signal, () => database.exec("checkpoint"));
    },
    [Symbol.asyncDispose]: () =>
      turns.runExclusive(async () => {
        if (isClosed) return;
        isClosed = true;
        await close();
      }),
  };
}

/**
 * Converts errors about missing resources (for example disk space) and unusable files to `StoreUnavailable`. Returns other errors
 * unchanged.
 */
function translate(error: unknown): unknown {
  if (!/^(53|58)/.test(sqlFailure(error)?.state ?? "")) return error;
  return errors.StoreUnavailable(`The embedded database is not available: ${messageOf(error)}`, {
    cause: error,
  });
}
