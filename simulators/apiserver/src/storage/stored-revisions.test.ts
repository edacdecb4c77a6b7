import assert from "node:assert/strict";
import {
  closeSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { GroupCommit, type Journal, openSqliteJournal } from "@keelson/sim-store";
import fc from "fast-check";
import { RevisionStore } from "./revision-store.ts";
import { storageFailure } from "./storage-failure.ts";

const directory = mkdtempSync(join(tmpdir(), "journal-"));
after(() => rmSync(directory, { recursive: true }));

const bucket = "/configmaps";
const object = (name: string, data: unknown) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name },
  data,
});

async function openStore(journal: Journal): Promise<RevisionStore> {
  const cluster = (await journal.logs())[0] ?? (await journal.addLog("c", "{}"));
  return RevisionStore.open({
    journal,
    commits: new GroupCommit(journal, storageFailure),
    cluster,
    nowMs: () => 0,
  });
}

const keys = fc.constantFrom("a/x", "a/y", "b/x");
const steps = fc.array(fc.tuple(keys, fc.option(fc.integer({ min: 0, max: 9 }))), {
  minLength: 1,
  maxLength: 40,
});

test("a store restored from its file has the same objects, history and revisions, compacted or not", async () => {
  let run = 0;
  await fc.assert(
    fc.asyncProperty(steps, fc.option(fc.nat(40)), async (writes, compactAt) => {
      const path = join(directory, `${++run}.db`);
      const journal = await openSqliteJournal(path);
      const store = await openStore(journal);
      for (const [key, value] of writes) {
        const expected = store.get(bucket, key)?.revision ?? 0;
        if (value === null) store.remove(bucket, key, expected);
        else store.put(bucket, key, expected, object(key, value));
      }
      await store.settled();
      if (compactAt !== null) await store.compact(compactAt);
      await journal[Symbol.asyncDispose]();
      await using again = await openSqliteJournal(path);
      const reopened = await openStore(again);
      assert.equal(reopened.head, store.head);
      assert.equal(reopened.compacted, store.compacted);
      assert.equal(reopened.sign("x"), store.sign("x"));
      const shown = (each: RevisionStore, revision: number) =>
        each.rangeAt(bucket, "", revision).map(({ key, bytes }) => [key, bytes.toString()]);
      for (let revision = store.compacted; revision <= store.head; revision++)
        assert.deepEqual(shown(reopened, revision), shown(store, revision));
      const told = (each: RevisionStore) =>
        each.eventsAfter(bucket, store.compacted)?.map(({ revision, deleted }) => [revision, deleted]);
      assert.deepEqual(told(reopened), told(store));
    }),
    { numRuns: 12 },
  );
});

test("a revision is never reused, even if the newest object was deleted and compacted", async () => {
  const path = join(directory, "newest.db");
  const journal = await openSqliteJournal(path);
  const store = await openStore(journal);
  store.put(bucket, "a/x", 0, object("x", 1));
  const { revision = 0 } = store.get(bucket, "a/x") ?? {};
  store.remove(bucket, "a/x", revision);
  await store.settled();
  await store.compact(store.head);
  await journal[Symbol.asyncDispose]();
  await using again = await openSqliteJournal(path);
  const reopened = await openStore(again);
  assert.equal(reopened.head, store.head);
  const next = reopened.put(bucket, "a/y", 0, object("y", 1));
  assert.ok(next.kind === "written" && next.stored.revision > store.head);
});

test("changes beyond one batch are restored and compacted in order", async () => {
  const path = join(directory, "many.db");
  const journal = await openSqliteJournal(path);
  const store = await openStore(journal);
  const count = 6_000;
  for (let at = 0; at < count; at++) {
    const { revision = 0 } = store.get(bucket, "a/x") ?? {};
    store.put(bucket, "a/x", revision, object("x", at));
  }
  await store.settled();
  await journal[Symbol.asyncDispose]();
  const again = await openSqliteJournal(path);
  const reopened = await openStore(again);
  assert.equal(reopened.eventsAfter(bucket, 1)?.length, count);
  await reopened.compact(reopened.head);
  await again[Symbol.asyncDispose]();
  await using last = await openSqliteJournal(path);
  const [cluster] = await last.logs();
  const records = (await Array.fromAsync(last.read(cluster?.id ?? 0))).flat();
  assert.deepEqual(
    records.map(({ revision }) => revision),
    [count + 1],
  );
});

test("a full disk rejects a complete transaction, keeps existing objects, and accepts writes when space is available again", async () => {
  const path = join(directory, "full.db");
  const journal = await openSqliteJournal(path);
  const store = await openStore(journal);
  const write = async (name: string, size: number) => {
    const outcome = store.put(bucket, name, 0, object(name, "x".repeat(size)));
    assert.ok(outcome.kind === "written");
    await outcome.durable;
  };
  await write("a/kept", 10);
  await journal.limit(200_000);
  const lost = await Promise.allSettled([write("a/little", 10), write("a/large", 500_000)]);
  assert.deepEqual(
    lost.map(({ status }) => status),
    ["rejected", "rejected"],
  );
  const [first] = lost;
  assert.match(String(first?.status === "rejected" && first.reason), /database or disk is full/);
  assert.deepEqual(
    store.range(bucket, "").map(({ key }) => key),
    ["a/kept"],
  );
  await write("a/small", 10);
  await journal.limit(undefined);
  await write("a/large", 500_000);
  await journal[Symbol.asyncDispose]();
  await using again = await openSqliteJournal(path);
  assert.deepEqual(
    (await openStore(again)).range(bucket, "").map(({ key }) => key),
    ["a/kept", "a/large", "a/small"],
  );
});

test("a file that is not a database or is damaged is rejected with its path", async () => {
  const noDatabase = join(directory, "text.db");
  writeFileSync(noDatabase, "not a database at all, but long enough to be read as one".repeat(100));
  await assert.rejects(openSqliteJournal(noDatabase), {
    code: "StorageUnusable",
    message: /text\.db cannot be used: file is not a database/,
  });
  const path = join(directory, "damaged.db");
  const journal = await openSqliteJournal(path);
  const store = await openStore(journal);
  for (let at = 0; at < 200; at++) store.put(bucket, `a/${at}`, 0, object("x", "x".repeat(500)));
  await store.settled();
  await journal[Symbol.asyncDispose]();
  const size = statSync(path).size;
  const file = openSync(path, "r+");
  writeSync(file, Buffer.alloc(8_192, 0xff), 0, 8_192, Math.floor(size / 2 / 4_096) * 4_096);
  closeSync(file);
  assert.equal(readFileSync(path).length, size);
  const damaged = async () => {
    await using again = await openSqliteJournal(path);
    await openStore(again);
  };
  await assert.rejects(damaged(), {
    code: "StorageUnusable",
    message: /damaged\.db cannot be used: .*malformed/,
  });
});
