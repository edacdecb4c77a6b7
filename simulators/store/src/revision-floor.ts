import { DatabaseSync } from "node:sqlite";

/** Returns the newest revision of all logs in a journal file. No process may have the file open. */
export function newestRevision(path: string): number {
  using database = openDatabase(path);
  const row = database
    .prepare(
      "select max(compacted, coalesce((select max(revision) from change where cluster = cluster.id), 0)) as newest from cluster order by newest desc limit 1",
    )
    .get();
  return Number(row?.newest ?? 0);
}

/**
 * Sets the minimum revision of all logs in a journal file. Lower revisions count as compacted, so the server rejects revisions
 * that clients received from a different history. No process may have the file open.
 */
export function raiseRevisions(path: string, floor: number): void {
  using database = openDatabase(path);
  database.prepare("update cluster set compacted = max(compacted, ?)").run(floor);
}

function openDatabase(path: string): DatabaseSync & Disposable {
  const database = new DatabaseSync(path);
  return Object.assign(database, { [Symbol.dispose]: () => database.close() });
}
