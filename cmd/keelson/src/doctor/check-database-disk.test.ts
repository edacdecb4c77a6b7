import assert from "node:assert/strict";
import { test } from "node:test";
import type { Session } from "@keelson/database";
import { checkDatabaseDisk } from "./check-database-disk.ts";

const { signal } = new AbortController();

/** Fake connection with one session. `query` runs instead of the statement that needs disk space. */
function connectionWith(query: () => Promise<never[]>) {
  const executed: string[] = [];
  const session: Session = {
    query,
    execute: async (sql) => void executed.push(sql),
  };
  return { executed, session: <T>(work: (session: Session) => Promise<T>) => work(session) };
}

function rejection(code: string, message: string) {
  return Object.assign(new Error(message), { code, severity: "ERROR" });
}

test("a full disk of PostgreSQL is a failure that names the server's error", async () => {
  const cause = rejection(
    "53100",
    'could not write to file "base/pgsql_tmp/pgsql_tmp7.0": No space left on device',
  );
  const error = new Error(`PostgreSQL at db:5432 is not available: ${cause.message}`, { cause });
  const connection = connectionWith(() => Promise.reject(error));
  const finding = await checkDatabaseDisk(connection, signal);
  assert.equal(finding.status, "failed");
  assert.match(finding.summary, /No space left on device/);
  assert.match(finding.remedy ?? "", /KeelsonDatabaseWritesBlocked/);
  assert.equal(connection.executed.at(-1), "rollback", "the connection has no open transaction");
});

test("a different error of the statement is a warning", async () => {
  const connection = connectionWith(() =>
    Promise.reject(rejection("53400", "temporary file size exceeds limit")),
  );
  const finding = await checkDatabaseDisk(connection, signal);
  assert.deepEqual(
    [finding.status, finding.summary],
    ["warning", "could not be tested: temporary file size exceeds limit"],
  );
});

test("a disk with free space has no finding", async () => {
  const finding = await checkDatabaseDisk(
    connectionWith(async () => []),
    signal,
  );
  assert.equal(finding.status, "ok");
});
