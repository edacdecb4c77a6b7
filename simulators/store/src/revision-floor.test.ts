import assert from "node:assert/strict";
import { mkdtempDisposableSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { newestRevision, raiseRevisions } from "./revision-floor.ts";
import { openSqliteJournal } from "./sqlite-journal.ts";

test("newestRevision returns the newest revision of all logs, and raiseRevisions never lowers a log's floor", async () => {
  using directory = mkdtempDisposableSync(join(tmpdir(), "keelson-floor-"));
  const path = join(directory.path, "clusters.sqlite");
  {
    await using journal = await openSqliteJournal(path);
    const [a, b] = [await journal.addLog("a", "{}"), await journal.addLog("b", "{}")];
    const value = Buffer.from("{}");
    await journal.append([{ log: a.id, revision: 7, bucket: "/x", key: "k", value }]);
    await journal.append([{ log: b.id, revision: 5, bucket: "/x", key: "k", value }]);
  }
  assert.equal(newestRevision(path), 7);
  raiseRevisions(path, 100);
  raiseRevisions(path, 50);
  assert.equal(newestRevision(path), 100);
  await using journal = await openSqliteJournal(path);
  assert.deepEqual(
    (await journal.logs()).map(({ compacted }) => compacted),
    [100, 100],
  );
});
