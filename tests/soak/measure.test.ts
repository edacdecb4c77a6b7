import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { storedBytes } from "./measure.ts";

test("stored bytes are summed up by subject, with SQLite's log and without that of PostgreSQL, and small entries are left out", () => {
  const directory = mkdtempSync(join(tmpdir(), "stored-bytes-"));
  try {
    for (const name of ["base", "pg_wal"]) mkdirSync(join(directory, "database", name), { recursive: true });
    for (const [name, bytes] of [
      ["clusters.sqlite", 100],
      ["clusters.sqlite-wal", 50],
      ["database/base/1", 70],
      ["database/pg_wal/1", 160],
      ["database/PG_VERSION", 30],
      ["ca.pem", 20],
    ] as const)
      writeFileSync(join(directory, name), Buffer.alloc(bytes));
    assert.deepEqual(storedBytes(directory, 100), {
      "clusters.sqlite": 150,
      database: 100,
      "database/pg_wal": 160,
    });
  } finally {
    rmSync(directory, { recursive: true });
  }
});
