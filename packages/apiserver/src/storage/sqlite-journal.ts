import { DatabaseSync } from "node:sqlite";
import { messageOf } from "@keelson/base";
import { errors } from "../errors.ts";
import type { ClusterRecord, Journal, JournalRecord } from "./journal.ts";

/** One schema step per entry; `user_version` counts the steps a file has seen. */
const migrations = [
  `create table cluster (
     -- Never used again: what a deleted cluster still writes cannot turn up in a new one.
     id integer primary key autoincrement,
     name text not null unique,
     settings text not null,
     compacted integer not null default 0
   ) strict;
   create table change (
     cluster integer not null,
     revision integer not null,
     bucket text not null,
     key text not null,
     value blob,
     primary key (cluster, revision)
   ) strict, without rowid;`,
] as const;

/**
 * The journal of a server in one SQLite file: a log of changes, as etcd keeps them, from which the state is replayed.
 * WAL mode with full synchronisation: a committed change survives the loss of power.
 * @throws CodedError StorageUnusable, for example when another process has the file.
 */
export function openSqliteJournal(path: string): Journal {
  const database = new DatabaseSync(path);
  // One server owns the file: two would give out the same revisions.
  database.exec("pragma busy_timeout = 1000; pragma locking_mode = exclusive");
  const exclusive = (action: () => void): void => {
    database.exec("begin immediate");
    try {
      action();
      database.exec("commit");
    } catch (error) {
      if (database.isTransaction) database.exec("rollback");
      throw error;
    }
  };
  try {
    database.exec("pragma journal_mode = wal; pragma synchronous = full");
    exclusive(() => migrate(database, path));
  } catch (error) {
    database.close();
    throw errors.StorageUnusable(`${path} cannot be used: ${messageOf(error)}`, { cause: error });
  }

  const insertCluster = database.prepare("insert into cluster (name, settings) values (?, ?)");
  const deleteCluster = database.prepare("delete from cluster where id = ?");
  const deleteChanges = database.prepare("delete from change where cluster = ?");
  const insertChange = database.prepare(
    "insert into change (cluster, revision, bucket, key, value) values (?, ?, ?, ?, ?)",
  );
  const deleteChange = database.prepare("delete from change where cluster = ? and revision = ?");
  const setCompacted = database.prepare("update cluster set compacted = ? where id = ?");
  const selectChanges = database.prepare(
    "select revision, bucket, key, value from change where cluster = ? order by revision",
  );

  return {
    clusters: () =>
      database
        .prepare("select id, name, settings, compacted from cluster order by name")
        .all()
        .map(clusterOf),
    addCluster(name, settings) {
      const { lastInsertRowid } = insertCluster.run(name, settings);
      return { id: Number(lastInsertRowid), name, settings, compacted: 0 };
    },
    removeCluster(id) {
      exclusive(() => {
        deleteChanges.run(id);
        deleteCluster.run(id);
      });
    },
    *read(cluster) {
      for (const row of selectChanges.iterate(cluster)) yield recordOf(cluster, row);
    },
    append(records) {
      exclusive(() => {
        for (const { cluster, revision, bucket, key, value } of records) {
          insertChange.run(cluster, revision, bucket, key, value ?? null);
        }
      });
    },
    compact(cluster, compacted, obsolete) {
      exclusive(() => {
        for (const revision of obsolete) deleteChange.run(cluster, revision);
        setCompacted.run(compacted, cluster);
      });
    },
    [Symbol.dispose]: () => database.close(),
  };
}

function migrate(database: DatabaseSync, path: string): void {
  const version = Number(database.prepare("pragma user_version").get()?.user_version);
  if (version > migrations.length) {
    throw new Error(
      `${path} was written by a newer release (schema ${version}, this one knows ${migrations.length})`,
    );
  }
  for (const step of migrations.slice(version)) database.exec(step);
  database.exec(`pragma user_version = ${migrations.length}`);
}

type Row = Readonly<Record<string, unknown>>;

function clusterOf(row: Row): ClusterRecord {
  return {
    id: Number(row.id),
    name: String(row.name),
    settings: String(row.settings),
    compacted: Number(row.compacted),
  };
}

function recordOf(cluster: number, row: Row): JournalRecord {
  const value = row.value;
  return {
    cluster,
    revision: Number(row.revision),
    bucket: String(row.bucket),
    key: String(row.key),
    value: value instanceof Uint8Array ? value : undefined,
  };
}
