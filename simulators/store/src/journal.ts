import { randomBytes } from "node:crypto";

/** A change as it is made durable. `value` is absent for a deletion. */
export interface JournalRecord {
  /** The `id` of its log. */
  readonly log: number;
  readonly revision: number;
  readonly bucket: string;
  readonly key: string;
  readonly value: Uint8Array | undefined;
}

/** A log as it is stored: the changes of one logical cluster, or of one simulated Azure. */
export interface LogRecord {
  readonly id: number;
  readonly name: string;
  /** The JSON of what the log was created with. */
  readonly settings: string;
  /** History starts after this revision: of the changes before, only the newest of each key are kept. */
  readonly compacted: number;
}

/** Where changes become durable. What a call resolved for survives a crash of the process and the loss of power. */
export interface Journal extends AsyncDisposable {
  /** Random bytes that stay the same as long as the journal: what the server signs for itself is signed with them. */
  readonly secret: Uint8Array;
  logs(): Promise<readonly LogRecord[]>;
  addLog(name: string, settings: string): Promise<LogRecord>;
  removeLog(id: number): Promise<void>;
  /** The changes of a log in the order of their revisions, some at a time. */
  read(log: number): AsyncIterable<readonly JournalRecord[]>;
  /** All or nothing. Returns nothing when it is done at once. */
  append(records: readonly JournalRecord[]): Promise<void> | undefined;
  /** Removes the changes `obsolete`, and records that the history starts after `compacted`. */
  compact(log: number, compacted: number, obsolete: readonly number[]): Promise<void>;
}

/** A journal in memory: for what need not outlive its process. */
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
