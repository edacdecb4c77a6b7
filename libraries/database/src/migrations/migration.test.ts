import assert from "node:assert/strict";
import { test } from "node:test";
import { parseMigration, readMigrations, statementsOf } from "./migration.ts";

test("no migration builds an index in a transaction on a table that older programs are writing to", async () => {
  let indexes = 0;
  for (const { version, transaction, sql } of await readMigrations()) {
    for (const [, concurrently, table] of sql.matchAll(
      /create (?:unique )?index (concurrently )?[^;]*? on (\w+)/g,
    )) {
      indexes++;
      const isNew = sql.includes(`create table ${table} (`);
      assert.ok(isNew || (transaction === "none" && concurrently), `${version} locks ${table}`);
    }
  }
  assert.ok(indexes > 5, `${indexes} indexes`);
});

test("a header declares whether older programs can continue, and how the file is applied", () => {
  const { sql: _, ...migration } = parseMigration("000007.sql", "-- breaking: yes\nselect 1;\n");
  assert.deepEqual(migration, { version: 7, breaking: true, transaction: "single" });
  const online = parseMigration(
    "000008.sql",
    "-- breaking: no\n-- transaction: none\ncreate index concurrently if not exists a on b (c);\n",
  );
  assert.equal(online.transaction, "none");
  assert.throws(() => parseMigration("000009.sql", "select 1;"), /000009\.sql does not say/);
});

test("without a transaction, a statement that cannot be repeated is refused", () => {
  const sql = "-- breaking: no\n-- transaction: none\ncreate index concurrently a on b (c);\n";
  assert.throws(() => parseMigration("000010.sql", sql), /cannot be repeated: create index concurrently a/);
});

test("statements end with a semicolon at the end of a line", () => {
  const sql = "-- a comment;\nselect ';' as a;\n\nselect 2\n  as b;\n";
  assert.deepEqual(statementsOf(sql), ["select ';' as a", "select 2\n  as b"]);
});
