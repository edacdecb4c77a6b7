import { randomBytes } from "node:crypto";

/** Change to store. `value` is undefined for a deletion. */
export interface JournalRecord {
  /** ID of the log that contains the change. */
  readonly log: number;
  readonly revision: number;
  readonly bucket: string;
  readonly key: string;
  readonly value: Uint8Array | undefined;
}

/** Stored log. It contains the changes of one logical cluster or one simulated Azure. */
export interface LogRecord {
  readonly id: number;
  readonly name: string;
  /** Settings of the log in JSON. They are set when the log is created. */
  readonly settings: string;
  /**
   * Revision up to which the history was compacted. Of the changes up to this revision, only the newest change of each key is
   * stored.
   */
  readonly compacted: number;
}

/** Durable storage of changes. Completed writes survive a process crash and a power failure. */
export interface Journal extends AsyncDisposable {
  /** Random secret of the journal. The server uses the secret for signatures. The secret never changes. */
  readonly secret: Uint8Array;
  logs(): Promise<readonly LogRecord[]>;
  addLog(name: string, settings: string): Promise<LogRecord>;
  removeLog(id: number): Promise<void>;
  /** Yields the changes of a log in batches, in revision order. */
  read(log: number): AsyncIterable<readonly JournalRecord[]>;
  /** Appends records atomically. Returns undefined if the append completed synchronously. */
  append(records: readonly JournalRecord[]): Promise<void> | undefined;
  /** Deletes the changes in `obsolete` and records `compacted` as the revision up to which the history is compacted. */
  compact(log: number, compacted: number, obsolete: readonly number[]): Promise<void>;
}

/** Returns an in-memory journal. Its data is lost when the process exits. */
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
