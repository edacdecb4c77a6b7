import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { PGlite } from "@electric-sql/pglite";
import { copyDataDirectory } from "./data-directory.ts";

async function temporaryDirectory() {
  const path = await mkdtemp(join(tmpdir(), "keelson-pglite-"));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

test("an empty data directory is made once and copied from then on; one that is there stays", async () => {
  await using directory = await temporaryDirectory();
  const kept = join(directory.path, "kept");
  const [first, second] = [join(directory.path, "first"), join(directory.path, "second")];
  await copyDataDirectory(first, kept);
  await writeFile(join(kept, "mark"), "");
  // Creates the partial copy that a killed process leaves.
  await writeFile(`${second}.new`, "");
  await copyDataDirectory(second, kept);
  await copyDataDirectory(first, kept);
  assert.deepEqual(
    [first, second].map((path) => existsSync(join(path, "mark"))),
    [false, true],
  );
  for (const dataDir of [first, second]) {
    await using database = await PGlite.create({ dataDir });
    assert.deepEqual((await database.query("select count(*)::int as n from pg_stat_user_tables")).rows, [
      { n: 0 },
    ]);
  }
});

test("without a writable cache, no data directory is copied", async () => {
  await using directory = await temporaryDirectory();
  const file = join(directory.path, "file");
  await writeFile(file, "");
  await copyDataDirectory(join(directory.path, "data"), join(file, "kept"));
  assert.equal(existsSync(join(directory.path, "data")), false);
});
