import { messageOf } from "@keelson/base";
import type { Connection } from "@keelson/database";
import { type Finding, failed, ok, warning } from "./finding.ts";

const check = "disk of the database";
/**
 * Statement that sorts more rows than fit into the memory limit, so that PostgreSQL writes a temporary file. Unlike the write
 * probe, the statement always fails on a full disk. It requires no privilege.
 */
const sort =
  "select count(*)::text as rows from (select md5(i::text) as hash from generate_series(1, 100000) i order by hash offset 1) sorted";
/** SQLSTATE `disk_full`. */
const diskFull = "53100";

/** Checks that PostgreSQL can write a temporary file of a few MB. A full disk still accepts small commits for some time. */
export async function checkDatabaseDisk(
  connection: Pick<Connection, "session">,
  signal: AbortSignal,
): Promise<Finding> {
  try {
    await connection.session(async (session) => {
      await session.execute("begin; set local work_mem = '64kB'");
      try {
        await session.query({ text: sort }, []);
      } finally {
        await session.execute("rollback");
      }
    }, signal);
    return ok(check, "has free space");
  } catch (error) {
    signal.throwIfAborted();
    if (!isDiskFull(error))
      return warning(
        check,
        `could not be tested: ${messageOf(error)}`,
        "fix the error, then run keelson doctor again",
        "keelson doctor",
      );
    return failed(
      check,
      `PostgreSQL cannot write a temporary file: ${messageOf(error)}`,
      "free disk space on the PostgreSQL server, beginning with the WAL; see KeelsonDatabaseWritesBlocked in docs/runbooks.md",
      `psql -c "show data_directory" -c "select pg_size_pretty(sum(size)) from pg_ls_waldir()" <database.url>`,
    );
  }
}

function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ("code" in error && error.code === diskFull) || isDiskFull(error.cause);
}
