import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { GroupCommit } from "./group-commit.ts";
import { type Journal, memoryJournal } from "./journal.ts";
import { RevisionStore } from "./revision-store.ts";
import { openSqliteJournal } from "./sqlite-journal.ts";

const bucket = "/configmaps";

function openStore(journal: Journal = memoryJournal()) {
  const commits = new GroupCommit(journal);
  const record = journal.clusters()[0] ?? journal.addCluster("c", "{}");
  return { store: new RevisionStore(journal, commits, record), commits };
}

/** Writes or deletes the object `key`, whatever it is now. */
function step(store: RevisionStore, key: string, value: number | null): void {
  const expected = store.get(bucket, key)?.revision ?? 0;
  if (value === null) store.remove(bucket, key, expected);
  else
    store.put(bucket, key, expected, { apiVersion: "v1", kind: "ConfigMap", metadata: { name: key }, value });
}

const keys = fc.constantFrom("a/x", "a/y", "a-b/x", "b/x", "b/y");
const steps = fc.array(fc.tuple(keys, fc.option(fc.integer({ min: 0, max: 9 }))), {
  minLength: 1,
  maxLength: 40,
});
const shown = (objects: readonly { key: string; bytes: Buffer }[]) =>
  objects.map(({ key, bytes }) => [key, bytes.toString()]);

test("a list at a revision and the changes after it make the list at any later revision", () => {
  fc.assert(
    fc.property(steps, fc.nat(), fc.nat(), (writes, first, second) => {
      const { store, commits } = openStore();
      const truth = new Map<number, readonly [string, string][]>();
      const record = () =>
        truth.set(
          store.head,
          store.range(bucket, "").map(({ key, bytes }) => [key, bytes.toString()]),
        );
      record();
      for (const [key, value] of writes) {
        step(store, key, value);
        record();
      }
      commits.flush();
      const revisions = [...truth.keys()];
      const [from = 1, to = 1] = [revisions[first % revisions.length], revisions[second % revisions.length]]
        .map((each) => each ?? 1)
        .toSorted((a, b) => a - b);
      const state = new Map(store.rangeAt(bucket, "", from).map((stored) => [stored.key, stored]));
      assert.deepEqual(shown([...state.values()]), truth.get(from));
      for (const event of store.eventsAfter(bucket, from) ?? []) {
        if (event.revision > to) break;
        assert.equal(event.previous, state.get(event.current.key));
        if (event.deleted) state.delete(event.current.key);
        else state.set(event.current.key, event.current);
      }
      const replayed = [...state.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
      assert.deepEqual(shown(replayed), truth.get(to));
    }),
  );
});

test("a store read back from its file has the same objects, history and revisions, compacted or not", () => {
  const folder = mkdtempSync(join(tmpdir(), "store-"));
  try {
    let run = 0;
    fc.assert(
      fc.property(steps, fc.option(fc.nat(40)), (writes, compactAt) => {
        const path = join(folder, `${++run}.db`);
        const journal = openSqliteJournal(path);
        const { store, commits } = openStore(journal);
        for (const [key, value] of writes) step(store, key, value);
        commits.flush();
        if (compactAt !== null) store.compact(compactAt);
        journal[Symbol.dispose]();
        const again = openSqliteJournal(path);
        const reopened = openStore(again).store;
        assert.equal(reopened.head, store.head);
        assert.equal(reopened.compacted, store.compacted);
        for (let revision = store.compacted; revision <= store.head; revision++) {
          assert.deepEqual(
            shown(reopened.rangeAt(bucket, "", revision)),
            shown(store.rangeAt(bucket, "", revision)),
          );
        }
        const told = (each: RevisionStore) =>
          each.eventsAfter(bucket, store.compacted)?.map(({ revision, deleted }) => [revision, deleted]);
        assert.deepEqual(told(reopened), told(store));
        again[Symbol.dispose]();
      }),
      { numRuns: 30 },
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("a write at the wrong revision is a conflict and changes nothing", () => {
  const { store } = openStore();
  step(store, "a/x", 1);
  const head = store.head;
  const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "x" } };
  assert.equal(store.put(bucket, "a/x", 0, object).kind, "conflict");
  assert.equal(store.remove(bucket, "a/x", head - 1).kind, "conflict");
  assert.equal(store.remove(bucket, "a/none", 1).kind, "conflict");
  assert.equal(store.head, head);
});

test("changes that the journal refuses are undone, their writers told, and no watcher hears of them", async () => {
  let failing = false;
  const journal: Journal = {
    ...memoryJournal(),
    append() {
      if (failing) throw new Error("disk full");
    },
  };
  const { store } = openStore(journal);
  const kept = store.put(bucket, "a/x", 0, { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "x" } });
  assert.ok(kept.kind === "written");
  await kept.durable;
  failing = true;
  let woken = false;
  store.subscribe(bucket, () => {
    woken = true;
  });
  const lost = store.put(bucket, "a/y", 0, { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "y" } });
  step(store, "a/x", null);
  const read = store.settled();
  assert.ok(lost.kind === "written");
  await assert.rejects(lost.durable, { code: 500, reason: "InternalError" });
  await assert.rejects(read, { code: 500 });
  assert.deepEqual(
    store.range(bucket, "").map(({ key }) => key),
    ["a/x"],
  );
  assert.equal(woken, false);
  failing = false;
  const next = store.put(bucket, "a/z", 0, { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "z" } });
  assert.ok(next.kind === "written");
  await next.durable;
  assert.deepEqual(
    store.eventsAfter(bucket, kept.stored.revision)?.map(({ current }) => current.key),
    ["a/z"],
  );
});

test("history that was compacted is told apart from history that is empty", () => {
  const { store, commits } = openStore();
  for (const value of [1, 2, 3]) step(store, "a/x", value);
  commits.flush();
  store.compact(store.head - 1);
  assert.equal(store.eventsAfter(bucket, store.head - 2), undefined);
  assert.equal(store.eventsAfter(bucket, store.head - 1)?.length, 1);
  assert.deepEqual(store.eventsAfter(bucket, store.head), []);
});
