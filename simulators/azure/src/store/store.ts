import type { Journal } from "./journal.ts";

/** One row changed. */
interface Change {
  readonly table: string;
  readonly key: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Rows of one kind by key, in the order in which they were first written. */
export interface Table<Row> {
  get(key: string): Row | undefined;
  set(key: string, row: Row): void;
  delete(key: string): void;
  keys(): IterableIterator<string>;
  values(): IterableIterator<Row>;
  entries(): IterableIterator<[string, Row]>;
  readonly size: number;
}

/**
 * The whole world in memory, with a journal behind it. Rules run synchronously inside `transaction`: all of its
 * writes happen or none. Before a client is answered, `durable` waits until everything written so far is on disk;
 * transactions of the same turn of the event loop share one commit.
 */
export class Store {
  readonly #journal: Journal | undefined;
  readonly #tables = new Map<string, Map<string, unknown>>();
  readonly #listeners: ((change: Change) => void)[] = [];
  readonly #indexes = new Map<string, (change: Change) => void>();
  #unsaved = new Map<string, Change>();
  #transaction: Change[] | undefined;
  #saving: Promise<void> | undefined;

  constructor(journal?: Journal) {
    this.#journal = journal;
    for (const { table, key, value } of journal?.load() ?? []) this.#rows(table).set(key, JSON.parse(value));
  }

  /** Rows must be JSON; the journal gives back what was written, so each name belongs to one row type. */
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

  /** Keeps an index of a table up to date: `update` sees every row now there, every write and every undone write. */
  index<Row>(table: string, update: (before: Row | undefined, after: Row | undefined) => void): void {
    const apply = ({ before, after }: Change) => update(before as Row | undefined, after as Row | undefined);
    this.#indexes.set(table, apply);
    for (const [key, after] of this.#rows(table)) apply({ table, key, before: undefined, after });
  }

  /** Calls `listener` for each row of a table that changed, once it is on disk, in the order of the changes. */
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

  /** Resolves when all changes made until now are on disk; rejects when they cannot be written. */
  durable(): Promise<void> {
    if (this.#unsaved.size === 0) return Promise.resolve();
    this.#saving ??= new Promise((resolve, reject) => {
      setImmediate(() => {
        this.#saving = undefined;
        try {
          resolve(this.save());
        } catch (error) {
          reject(error);
        }
      });
    });
    return this.#saving;
  }

  /** Writes what is not on disk yet. What fails to be written stays to be written with the next call. */
  save(): void {
    const changes = [...this.#unsaved.values()];
    this.#journal?.write(
      changes.map(({ table, key, after }) => ({
        table,
        key,
        value: after === undefined ? undefined : JSON.stringify(after),
      })),
    );
    this.#unsaved = new Map();
    for (const change of changes) for (const listener of this.#listeners) listener(change);
  }

  close(): void {
    this.save();
    this.#journal?.close();
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

  /** Several changes of one row become one: from the oldest `before` to the newest `after`. */
  #remember(change: Change): void {
    const id = `${change.table}\n${change.key}`;
    const earlier = this.#unsaved.get(id);
    this.#unsaved.delete(id);
    this.#unsaved.set(id, earlier ? { ...change, before: earlier.before } : change);
  }
}
