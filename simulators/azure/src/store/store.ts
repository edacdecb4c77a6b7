import { type ChangeOwner, GroupCommit, type Journal, type JournalRecord } from "@keelson/sim-store";

/** Change of one row. The value `undefined` in `before` or `after` means that the row does not exist. */
interface Change {
  readonly table: string;
  readonly key: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Table of rows of one type, by key. */
export interface Table<Row> {
  get(key: string): Row | undefined;
  set(key: string, row: Row): void;
  delete(key: string): void;
  keys(): IterableIterator<string>;
  values(): IterableIterator<Row>;
  entries(): IterableIterator<[string, Row]>;
  readonly size: number;
}

/** Number of superseded changes in the journal that triggers their removal. All of them are removed in one step. */
const compactEvery = 512;
/** Name of the only log in the journal. */
const logName = "azure";

/** Journal log that stores the changes. */
interface Log {
  readonly journal: Journal;
  readonly id: number;
  readonly commits: GroupCommit;
}

/**
 * Tables in memory with a journal. `transaction` runs synchronously and applies either all of its writes or no write. `durable`
 * waits until all previous writes are on disk, and must be called before a response is sent. Transactions of one event loop
 * iteration share a commit. A newer change of a row supersedes the older change, which is later removed from the journal.
 */
export class Store implements ChangeOwner {
  readonly #log: Log | undefined;
  readonly #tables = new Map<string, Map<string, unknown>>();
  readonly #listeners: ((change: Change) => void)[] = [];
  readonly #indexes = new Map<string, (change: Change) => void>();
  /** Changes that are not yet in the journal's queue. */
  #unsaved = new Map<string, Change>();
  /** Queued changes by revision. */
  readonly #committing = new Map<number, Change>();
  #newestRevision = 0;
  #durableRevision = 0;
  /** Journal revision of the newest change of each row. */
  readonly #revisions = new Map<string, number>();
  #superseded: number[] = [];
  #transaction: Change[] | undefined;

  private constructor(log: Log | undefined) {
    this.#log = log;
  }

  static inMemory(): Store {
    return new Store(undefined);
  }

  /** Loads the rows from a journal. Closing the store closes the journal. @throws CodedError StorageUnusable */
  static async open(journal: Journal): Promise<Store> {
    const { id } = (await journal.logs())[0] ?? (await journal.addLog(logName, "{}"));
    const store = new Store({ journal, id, commits: new GroupCommit(journal) });
    for await (const records of journal.read(id)) for (const each of records) store.#replay(each);
    return store;
  }

  /**
   * Returns a table. Rows must be JSON. Row types are not checked when the journal is loaded, so the row type of a table must
   * never change.
   */
  table<Row>(name: string): Table<Row> {
    const rows = this.#rows(name) as Map<string, Row>;
    return {
      get: (key) => rows.get(key),
      set: (key, row) => this.#write(name, key, row),
      delete: (key) => this.#write(name, key, undefined),
      keys: () => rows.keys(),
      values: () => rows.values(),
      entries: () => rows.entries(),
      get size() {
        return rows.size;
      },
    };
  }

  /** Registers an index of a table. `update` is called for every existing row, every write and every rollback of a write. */
  index<Row>(table: string, update: (before: Row | undefined, after: Row | undefined) => void): void {
    const apply = ({ before, after }: Change) => update(before as Row | undefined, after as Row | undefined);
    this.#indexes.set(table, apply);
    for (const [key, after] of this.#rows(table)) apply({ table, key, before: undefined, after });
  }

  /**
   * Registers a listener for changed rows of a table. The listener is called when a change is on disk, in the order of the
   * changes.
   */
  onChange<Row>(table: string, listener: (before: Row | undefined, after: Row | undefined) => void): void {
    this.#listeners.push((change) => {
      if (change.table === table) listener(change.before as Row | undefined, change.after as Row | undefined);
    });
  }

  transaction<Result>(run: () => Result): Result {
    if (this.#transaction) return run();
    const changes: Change[] = [];
    this.#transaction = changes;
    try {
      const result = run();
      for (const change of changes) this.#remember(change);
      return result;
    } catch (error) {
      for (const { table, key, before } of changes.reverse()) this.#apply(table, key, before);
      throw error;
    } finally {
      this.#transaction = undefined;
    }
  }

  /**
   * Waits until all previous changes are on disk. Rejects if the changes cannot be written. The next call then tries to write
   * them again.
   */
  async durable(): Promise<void> {
    const changes = [...this.#unsaved.values()];
    this.#unsaved = new Map();
    if (!this.#log) {
      for (const change of changes) this.#notify(change);
      return;
    }
    for (const change of changes) this.#enqueue(this.#log, change);
    await this.#log.commits.settled();
  }

  committed(revision: number): void {
    for (const [own, change] of this.#committing) {
      if (own > revision) break;
      this.#committing.delete(own);
      this.#supersede(change.table, change.key, own, change.after === undefined);
      this.#notify(change);
    }
    this.#durableRevision = revision;
    if (this.#superseded.length >= compactEvery) void this.#compact().catch(() => undefined);
  }

  undone(revision: number): void {
    const change = this.#committing.get(revision);
    if (!change) return;
    this.#committing.delete(revision);
    const id = rowId(change.table, change.key);
    const later = this.#unsaved.get(id);
    this.#unsaved.set(id, later ? { ...later, before: change.before } : change);
  }

  /** Writes all pending changes and closes the journal. */
  async close(): Promise<void> {
    try {
      await this.durable();
      await this.#compact();
    } finally {
      await this.#log?.journal[Symbol.asyncDispose]();
    }
  }

  #enqueue({ id, commits }: Log, change: Change): void {
    const { table, key, after } = change;
    const revision = ++this.#newestRevision;
    this.#committing.set(revision, change);
    const value = after === undefined ? undefined : Buffer.from(JSON.stringify(after));
    // The error is ignored here, because `durable` waits for the same batch and handles its failure.
    commits
      .enqueue({ record: { log: id, revision, bucket: table, key, value }, owner: this })
      .catch(() => undefined);
  }

  #replay({ revision, bucket, key, value }: JournalRecord): void {
    const rows = this.#rows(bucket);
    if (value) rows.set(key, JSON.parse(Buffer.from(value).toString()));
    else rows.delete(key);
    this.#newestRevision = revision;
    this.#durableRevision = revision;
    this.#supersede(bucket, key, revision, value === undefined);
  }

  /**
   * Marks the previous change of a row as superseded, so that it can be removed from the journal. Called when the newer change is
   * on disk. If the newer change is a deletion, it is marked as superseded too.
   */
  #supersede(table: string, key: string, revision: number, deleted: boolean): void {
    const id = rowId(table, key);
    const previous = this.#revisions.get(id);
    if (previous !== undefined) this.#superseded.push(previous);
    if (deleted) {
      this.#superseded.push(revision);
      this.#revisions.delete(id);
    } else this.#revisions.set(id, revision);
  }

  async #compact(): Promise<void> {
    const superseded = this.#superseded;
    if (!this.#log || superseded.length === 0) return;
    this.#superseded = [];
    await this.#log.journal.compact(this.#log.id, this.#durableRevision, superseded);
  }

  #notify(change: Change): void {
    for (const listener of this.#listeners) {
      if (this.#log) this.#log.commits.isolate(() => listener(change));
      else listener(change);
    }
  }

  #rows(table: string): Map<string, unknown> {
    const rows = this.#tables.get(table) ?? new Map<string, unknown>();
    this.#tables.set(table, rows);
    return rows;
  }

  #write(table: string, key: string, after: unknown): void {
    const before = this.#rows(table).get(key);
    if (before === undefined && after === undefined) return;
    if (!this.#transaction) throw new Error("a write outside of a transaction");
    this.#transaction.push({ table, key, before, after });
    this.#apply(table, key, after);
  }

  #apply(table: string, key: string, after: unknown): void {
    const rows = this.#rows(table);
    const before = rows.get(key);
    if (after === undefined) rows.delete(key);
    else rows.set(key, after);
    this.#indexes.get(table)?.({ table, key, before, after });
  }

  /** Merges the pending changes of one row into one change. The merged change has the oldest `before` and the newest `after`. */
  #remember(change: Change): void {
    const id = rowId(change.table, change.key);
    const earlier = this.#unsaved.get(id);
    this.#unsaved.delete(id);
    this.#unsaved.set(id, earlier ? { ...change, before: earlier.before } : change);
  }
}

function rowId(table: string, key: string): string {
  return `${table}\n${key}`;
}
