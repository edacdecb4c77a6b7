import { randomBytes } from "node:crypto";

/** Change to make durable. `value` is undefined for a deletion. */
export interface JournalRecord {
  /** Id of the log. */
  readonly log: number;
  readonly revision: number;
  readonly bucket: string;
  readonly key: string;
  readonly value: Uint8Array | undefined;
}

/** Stored log: the changes of one logical cluster or one simulated Azure. */
export interface LogRecord {
  readonly id: number;
  readonly name: string;
  /** JSON of the settings with which the log was created. */
  readonly settings: string;
  /** History starts after this revision. Of earlier changes, only the newest of each key is kept. */
  readonly compacted: number;
}

/** Durable storage of changes. Resolved calls survive a process crash and a power failure. */
export interface Journal extends AsyncDisposable {
  /** Random key of the journal for the server's signatures. It never changes. */
  readonly secret: Uint8Array;
  logs(): Promise<readonly LogRecord[]>;
  addLog(name: string, settings: string): Promise<LogRecord>;
  removeLog(id: number): Promise<void>;
  /** Yields the changes of a log in batches, in the order of revisions. */
  read(log: number): AsyncIterable<readonly JournalRecord[]>;
  /** Appends records atomically. Returns undefined if the append is already complete. */
  append(records: readonly JournalRecord[]): Promise<void> | undefined;
  /** Removes the changes `obsolete` and records that the history starts after `compacted`. */
  compact(log: number, compacted: number, obsolete: readonly number[]): Promise<void>;
}

/** Journal in memory, for data that need not outlive the process. */
export function memoryJournal(): Journal {
  let lastId = 0;
  return {
    secret: randomBytes(32),
    logs: async () => [],
    addLog: async (name, settings) => ({ id: ++lastId, name, settings, compacted: 0 }),
    removeLog: async () => undefined,
    async *read() {},
    append: () => undefined,
    compact: async () => undefined,
    [Symbol.asyncDispose]: async () => undefined,
  };
}
