import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import { messageOf } from "@keelson/base";
import { errors } from "./errors.ts";
import type { Journal, JournalRecord, LogRecord } from "./journal.ts";
import { packRecords, unpackRecords } from "./packed-records.ts";
import type { JournalReply, JournalRequest } from "./sqlite-thread.ts";

/** Maximum number of changes that one transaction removes, because concurrent writes wait for this transaction. */
const removedAtOnce = 2_000;

/** Journal that is stored in a file. */
export interface SqliteJournal extends Journal {
  /** Limits the file size in bytes to simulate a full disk. Undefined removes the limit. */
  limit(bytes: number | undefined): Promise<void>;
}

/**
 * Opens a journal in a SQLite file. A separate thread reads and writes the file.
 * @throws CodedError StorageUnusable, for example if the file is damaged or locked by a different process
 */
export async function openSqliteJournal(path: string): Promise<SqliteJournal> {
  const thread = new SqliteThread(path);
  const unusable = (error: unknown) =>
    errors.StorageUnusable(`${path} cannot be used: ${messageOf(error)}`, { cause: error });
  const { secret = new Uint8Array() } = await thread.ask({ kind: "open" }).catch(async (error) => {
    await thread.end();
    throw unusable(error);
  });
  const logs = async (request: JournalRequest): Promise<readonly LogRecord[]> =>
    (await thread.ask(request)).logs ?? [];
  return {
    secret,
    logs: () => logs({ kind: "logs" }),
    async addLog(name, settings) {
      const [added] = await logs({ kind: "addLog", name, settings });
      if (!added) throw new Error("the storage returned no log");
      return added;
    },
    async removeLog(log) {
      await thread.ask({ kind: "removeLog", log });
    },
    async *read(log) {
      for (let after = 0; ; ) {
        const reply = await thread.ask({ kind: "read", log, after }).catch((error) => {
          throw unusable(error);
        });
        const records: readonly JournalRecord[] = reply.records ? unpackRecords(reply.records) : [];
        const last = records.at(-1);
        if (!last) return;
        yield records;
        after = last.revision;
      }
    },
    async append(records) {
      const packed = packRecords(records);
      await thread.ask({ kind: "append", records: packed }, [packed.values]);
    },
    async compact(log, compacted, obsolete) {
      for (let at = 0; at === 0 || at < obsolete.length; at += removedAtOnce) {
        const some = obsolete.slice(at, at + removedAtOnce);
        await thread.ask({ kind: "compact", log, compacted, obsolete: some });
      }
    },
    async limit(bytes) {
      await thread.ask({ kind: "limit", bytes });
    },
    async [Symbol.asyncDispose]() {
      // If the thread has exited, its file is already closed.
      await thread.ask({ kind: "close" }).catch(() => undefined);
      await thread.end();
    },
  };
}

/** Worker thread and its pending requests. The thread keeps the process alive only while requests are pending. */
class SqliteThread {
  readonly #worker: Worker;
  readonly #waiting: PromiseWithResolvers<JournalReply>[] = [];
  #ended = false;

  constructor(path: string) {
    // The thread's script is in the same directory, as TypeScript source or compiled JavaScript.
    const script = new URL(`./sqlite-thread${extname(import.meta.url)}`, import.meta.url);
    // The thread must not inherit Node.js flags of the process, for example code to evaluate.
    const execArgv = ["--disable-warning=ExperimentalWarning"];
    this.#worker = new Worker(script, { workerData: path, name: "sqlite", execArgv });
    this.#worker.on("message", (reply: JournalReply) => this.#settle(reply));
    this.#worker.on("error", (error) => this.#abandon(error));
    this.#worker.on("exit", () => this.#abandon(new Error("the storage thread exited")));
  }

  /** Sends a request and returns the reply. @throws the SQLite error */
  ask(request: JournalRequest, transferred: readonly ArrayBuffer[] = []): Promise<JournalReply> {
    if (this.#ended) return Promise.reject(new Error("the storage is closed"));
    const waiting = Promise.withResolvers<JournalReply>();
    this.#waiting.push(waiting);
    this.#worker.ref();
    this.#worker.postMessage(request, [...transferred]);
    return waiting.promise;
  }

  async end(): Promise<void> {
    this.#ended = true;
    await this.#worker.terminate();
  }

  #settle(reply: JournalReply): void {
    const waiting = this.#waiting.shift();
    if (this.#waiting.length === 0) this.#worker.unref();
    if (reply.failure === undefined) waiting?.resolve(reply);
    else waiting?.reject(new Error(reply.failure));
  }

  #abandon(error: unknown): void {
    this.#ended = true;
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }
}
