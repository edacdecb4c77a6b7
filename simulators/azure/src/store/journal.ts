import { closeSync, openSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";

/** One row written (`value` is JSON text) or removed (`value` is undefined). */
export interface JournalEntry {
  readonly table: string;
  readonly key: string;
  readonly value: string | undefined;
}

/** Where the world is kept between two lives of the process. */
export interface Journal {
  load(): Iterable<{ readonly table: string; readonly key: string; readonly value: string }>;
  /** Writes all entries or none, and returns once they are on disk. */
  write(entries: readonly JournalEntry[]): void;
  close(): void;
}

/**
 * A journal in one SQLite file. `synchronous=FULL` makes every commit reach the disk;
 * the exclusive lock keeps a second process from writing the same world.
 */
export function openSqliteJournal(path: string): Journal {
  // The file holds secrets of machines and the signing key: its owner alone may read it.
  closeSync(openSync(path, "a", 0o600));
  const database = new DatabaseSync(path);
  database.exec(`
    pragma locking_mode = exclusive;
    pragma journal_mode = wal;
    pragma synchronous = full;
    create table if not exists record (
      collection text not null, key text not null, value text not null, primary key (collection, key)
    ) without rowid;
  `);
  const select = database.prepare("select collection, key, value from record");
  const upsert = database.prepare(
    "insert into record (collection, key, value) values (?, ?, ?) on conflict do update set value = excluded.value",
  );
  const remove = database.prepare("delete from record where collection = ? and key = ?");
  return {
    *load() {
      for (const row of select.iterate()) {
        yield { table: String(row.collection), key: String(row.key), value: String(row.value) };
      }
    },
    write(entries) {
      database.exec("begin immediate");
      try {
        for (const { table, key, value } of entries) {
          if (value === undefined) remove.run(table, key);
          else upsert.run(table, key, value);
        }
        database.exec("commit");
      } catch (error) {
        // A full disk has ended the transaction already.
        if (database.isTransaction) database.exec("rollback");
        throw error;
      }
    },
    close: () => database.close(),
  };
}
