import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, test } from "node:test";
import { openSqliteJournal } from "./sqlite-journal.ts";

const directory = mkdtempSync(join(tmpdir(), "sim-store-"));
after(() => rmSync(directory, { recursive: true }));

test("rows of the simulated Azure of earlier releases are migrated to a log", async () => {
  const path = join(directory, "rows.db");
  const rows = new DatabaseSync(path);
  rows.exec(`
    create table record (
      collection text not null, key text not null, value text not null, primary key (collection, key)
    ) without rowid;
    insert into record values ('resource', '/b', '{"n":2}'), ('resource', '/a', '{"n":1}'), ('blob', 'x', '"é"');
  `);
  rows.close();
  for (const time of ["first", "second"]) {
    await using journal = await openSqliteJournal(path);
    const logs = await journal.logs();
    assert.deepEqual(
      logs.map(({ name, compacted }) => [name, compacted]),
      [["azure", 0]],
      time,
    );
    const records = (await Array.fromAsync(journal.read(logs[0]?.id ?? 0))).flat();
    assert.deepEqual(
      records.map(({ revision, bucket, key, value }) => [
        revision,
        bucket,
        key,
        String(value && Buffer.from(value)),
      ]),
      [
        [1, "blob", "x", '"é"'],
        [2, "resource", "/a", '{"n":1}'],
        [3, "resource", "/b", '{"n":2}'],
      ],
    );
  }
});

test("a file without such rows has no log", async () => {
  await using journal = await openSqliteJournal(join(directory, "new.db"));
  assert.deepEqual(await journal.logs(), []);
});
