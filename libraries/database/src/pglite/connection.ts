import { Mutex, PGlite, type PGliteOptions } from "@electric-sql/pglite";
import { aborted, messageOf } from "@keelson/base";
import { errors } from "../documents/errors.ts";
import { type Connection, type Session, sqlFailure } from "../drivers/driver.ts";
import { StatementCache } from "./statement-cache.ts";

/**
 * Smaller buffers than the default of 128 MB: the operating system's file cache holds the same data, and used
 * buffers are never returned.
 */
const startParams = [...PGlite.defaultStartParams, "-c", "shared_buffers=16MB"];

export function createPglite(options: PGliteOptions): Promise<PGlite> {
  return PGlite.create({ ...options, startParams });
}

/**
 * Connection to PGlite. It has one session, so calls run one at a time. Disposal waits for its turn and calls
 * `close` once.
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
    /** A server does this in background processes, which PGlite does not have: its files would only grow. */
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
 * Translates missing resources, such as disk space, and unusable files to `StoreUnavailable`. Returns other
 * errors unchanged.
 */
function translate(error: unknown): unknown {
  if (!/^(53|58)/.test(sqlFailure(error)?.state ?? "")) return error;
  return errors.StoreUnavailable(`The embedded database is not available: ${messageOf(error)}`, {
    cause: error,
  });
}
