import { randomBytes } from "node:crypto";
import { closeSync, openSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import type { JournalRecord, LogRecord } from "./journal.ts";

/** Schema migrations. `user_version` of a file is the number of applied migrations. */
const migrations = [
  `create table cluster (
     -- Never used again: what a deleted log still writes cannot appear in a new one.
     id integer primary key autoincrement,
     name text not null unique,
     settings text not null,
     compacted integer not null default 0
   ) strict;
   create table change (
     -- The log.
     cluster integer not null,
     revision integer not null,
     bucket text not null,
     key text not null,
     value blob,
     primary key (cluster, revision)
   ) strict, without rowid;`,
  `create table secret (bytes blob not null) strict;
   insert into secret (bytes) values (randomblob(32));`,
  // Earlier releases stored changes of the simulated Azure without a log ID.
  `create table if not exists record (
     collection text not null, key text not null, value text not null, primary key (collection, key)
   ) without rowid;
   insert into cluster (name, settings) select 'azure', '{}' where exists (select 1 from record);
   insert into change (cluster, revision, bucket, key, value)
     select cluster.id, row_number() over (order by collection, key), collection, key, cast(value as blob)
     from record join cluster on cluster.name = 'azure';
   drop table record;`,
] as const;

/**
 * Maximum number of rows in one batch of `read`. Larger batches need fewer messages between threads but block the receiving
 * thread longer.
 */
const readRows = 5_000;
const readBytes = 4 * 1_024 * 1_024;
/** Size in bytes to which SQLite truncates a write-ahead log that has become larger. */
const keptLogBytes = 64 * 1_024 * 1_024;

/**
 * SQLite file of a journal. Like etcd, it stores a log of changes from which the state is replayed. It uses WAL mode with full
 * synchronization, so committed changes survive a power failure. All calls are synchronous.
 */
export class SqliteFile {
  readonly #database: DatabaseSync;
  readonly #statements;

  /** Opens the file. @throws Error if the file cannot be used, for example because a different process has locked it */
  constructor(path: string) {
    // Restricts access because the file contains private keys of clusters and machines. SQLite uses the same mode for its
    // auxiliary files.
    closeSync(openSync(path, "a", 0o600));
    this.#database = new DatabaseSync(path);
    try {
      // Locks the file because a second server would assign the same revisions.
      this.#database.exec("pragma busy_timeout = 1000; pragma locking_mode = exclusive");
      this.#database.exec("pragma journal_mode = wal; pragma synchronous = full");
      this.#database.exec(`pragma journal_size_limit = ${keptLogBytes}`);
      this.#whole(() => this.#migrate());
      this.#statements = statementsOf(this.#database);
    } catch (error) {
      this.#database.close();
      throw error;
    }
  }

  secret(): Uint8Array {
    const bytes = this.#statements.secret.get()?.bytes;
    return bytes instanceof Uint8Array ? bytes : randomBytes(32);
  }

  logs(): readonly LogRecord[] {
    return this.#statements.logs.all().map(logOf);
  }

  addLog(name: string, settings: string): LogRecord {
    const { lastInsertRowid } = this.#statements.insertLog.run(name, settings);
    return { id: Number(lastInsertRowid), name, settings, compacted: 0 };
  }

  removeLog(id: number): void {
    this.#whole(() => {
      this.#statements.deleteChanges.run(id);
      this.#statements.deleteLog.run(id);
    });
  }

  /** Returns the next batch of changes after a revision, in order. Empty at the end of the log. */
  read(log: number, after: number): readonly JournalRecord[] {
    const records: JournalRecord[] = [];
    let size = 0;
    for (const row of this.#statements.changes.iterate(log, after)) {
      const record = recordOf(log, row);
      records.push(record);
      size += record.value?.length ?? 0;
      if (records.length >= readRows || size >= readBytes) break;
    }
    return records;
  }

  append(records: readonly JournalRecord[]): void {
    this.#whole(() => {
      for (const { log, revision, bucket, key, value } of records) {
        this.#statements.insertChange.run(log, revision, bucket, key, value ?? null);
      }
    });
  }

  compact(log: number, compacted: number, obsolete: readonly number[]): void {
    this.#whole(() => {
      for (const revision of obsolete) this.#statements.deleteChange.run(log, revision);
      this.#statements.setCompacted.run(compacted, log);
    });
  }

  /** Limits the file size in bytes to simulate a full disk. Undefined removes the limit. */
  limit(bytes: number | undefined): void {
    const size = Number(this.#database.prepare("pragma page_size").get()?.page_size);
    const pages = bytes === undefined ? 0xffff_fffe : Math.max(1, Math.floor(bytes / size));
    this.#database.exec(`pragma max_page_count = ${pages}`);
  }

  close(): void {
    this.#database.close();
  }

  #whole(action: () => void): void {
    this.#database.exec("begin immediate");
    try {
      action();
      this.#database.exec("commit");
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec("rollback");
      throw error;
    }
  }

  #migrate(): void {
    const version = Number(this.#database.prepare("pragma user_version").get()?.user_version);
    if (version > migrations.length) {
      throw new Error(
        `it was written by a newer release (schema ${version}, this one supports ${migrations.length})`,
      );
    }
    for (const step of migrations.slice(version)) this.#database.exec(step);
    this.#database.exec(`pragma user_version = ${migrations.length}`);
  }
}

function statementsOf(database: DatabaseSync) {
  return {
    secret: database.prepare("select bytes from secret"),
    logs: database.prepare("select id, name, settings, compacted from cluster order by name"),
    insertLog: database.prepare("insert into cluster (name, settings) values (?, ?)"),
    deleteLog: database.prepare("delete from cluster where id = ?"),
    deleteChanges: database.prepare("delete from change where cluster = ?"),
    insertChange: database.prepare(
      "insert into change (cluster, revision, bucket, key, value) values (?, ?, ?, ?, ?)",
    ),
    deleteChange: database.prepare("delete from change where cluster = ? and revision = ?"),
    setCompacted: database.prepare("update cluster set compacted = max(compacted, ?) where id = ?"),
    changes: database.prepare(
      "select revision, bucket, key, value from change where cluster = ? and revision > ? order by revision",
    ),
  };
}

type Row = Readonly<Record<string, unknown>>;

function logOf(row: Row): LogRecord {
  return {
    id: Number(row.id),
    name: String(row.name),
    settings: String(row.settings),
    compacted: Number(row.compacted),
  };
}

function recordOf(log: number, row: Row): JournalRecord {
  const value = row.value;
  return {
    log,
    revision: Number(row.revision),
    bucket: String(row.bucket),
    key: String(row.key),
    value: value instanceof Uint8Array ? value : undefined,
  };
}
