import assert from "node:assert/strict";
import { test } from "node:test";
import { scalarStringAt } from "@keelson/apimachinery";
import { GroupCommit, type Journal, memoryJournal } from "@keelson/sim-store";
import fc from "fast-check";
import { RevisionStore } from "./revision-store.ts";
import type { HistoryBounds } from "./shared-history.ts";
import { SharedHistory } from "./shared-history.ts";
import { storageFailure } from "./storage-failure.ts";

const bucket = "/configmaps";

async function openStore(journal: Journal = memoryJournal(), bounds?: HistoryBounds) {
  const cluster = (await journal.logs())[0] ?? (await journal.addLog("c", "{}"));
  const commits = new GroupCommit(journal, storageFailure);
  const time = { nowMs: 0 };
  const deps = { journal, commits, cluster, nowMs: () => time.nowMs, ...(bounds ? { bounds } : {}) };
  return { store: await RevisionStore.open(deps), time };
}

const object = (name: string, value: unknown = 0) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name },
  value,
});

/** Writes or deletes the object `key`, whatever its current revision is. */
function step(store: RevisionStore, key: string, value: number | null): void {
  const expected = store.get(bucket, key)?.revision ?? 0;
  if (value === null) store.remove(bucket, key, expected);
  else store.put(bucket, key, expected, object(key, value));
}

const keys = fc.constantFrom("a/x", "a/y", "a-b/x", "b/x", "b/y");
const steps = fc.array(fc.tuple(keys, fc.option(fc.integer({ min: 0, max: 9 }))), {
  minLength: 1,
  maxLength: 40,
});
const shown = (objects: readonly { key: string; bytes: Buffer }[]) =>
  objects.map(({ key, bytes }) => [key, bytes.toString()]);

test("a list at a revision plus later changes equals the list at any later revision", async () => {
  await fc.assert(
    fc.asyncProperty(steps, fc.nat(), fc.nat(), async (writes, first, second) => {
      const { store } = await openStore();
      const truth = new Map<number, readonly string[][]>([[store.head, []]]);
      let newest = store.head;
      for (const [key, value] of writes) {
        step(store, key, value);
        newest = Math.max(newest, store.lastRevision(bucket));
        truth.set(newest, shown(store.range(bucket, "")));
      }
      await store.settled();
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

test("a list continues after a key within its prefix, at any revision", async () => {
  const { store } = await openStore();
  for (const key of ["a/x", "a/y", "a/z", "a-b/x", "b/x"]) step(store, key, 0);
  await store.settled();
  const first = store.head;
  step(store, "a/y", null);
  step(store, "a/zz", 1);
  await store.settled();
  const keysAt = (prefix: string, revision: number, after: string) =>
    store.rangeAt(bucket, prefix, revision, after).map(({ key }) => key);
  assert.deepEqual(keysAt("a/", first, "a/x"), ["a/y", "a/z"]);
  assert.deepEqual(keysAt("a/", store.head, "a/x"), ["a/z", "a/zz"]);
  assert.deepEqual(keysAt("", first, "a/y"), ["a/z", "b/x"]);
  assert.deepEqual(keysAt("a/", first, "a/z"), []);
  assert.deepEqual(keysAt("b/", first, "a/z"), ["b/x"]);
});

test("a write at the wrong revision is a conflict and changes nothing", async () => {
  const { store } = await openStore();
  step(store, "a/x", 1);
  await store.settled();
  const head = store.head;
  assert.equal(store.put(bucket, "a/x", 0, object("x")).kind, "conflict");
  assert.equal(store.remove(bucket, "a/x", head - 1).kind, "conflict");
  assert.equal(store.remove(bucket, "a/none", 1).kind, "conflict");
  await store.settled();
  assert.equal(store.head, head);
});

/** Journal with pending writes. The test completes them. */
function slowJournal() {
  const waiting: PromiseWithResolvers<void>[] = [];
  const journal: Journal = {
    ...memoryJournal(),
    append() {
      const one = Promise.withResolvers<void>();
      waiting.push(one);
      return one.promise;
    },
  };
  const next = async () => {
    while (waiting.length === 0) await new Promise((resolve) => setImmediate(resolve));
    const one = waiting.shift();
    assert.ok(one);
    return one;
  };
  return { journal, next };
}

test("a listener that fails affects neither the write nor other listeners and watchers", async () => {
  const journal = memoryJournal();
  const cluster = await journal.addLog("c", "{}");
  const reported: unknown[] = [];
  const commits = new GroupCommit(journal, storageFailure, (error) => reported.push(error));
  const store = await RevisionStore.open({ journal, commits, cluster, nowMs: () => 0 });
  const told: string[] = [];
  const failure = new Error("listener failed");
  const fail = () => {
    throw failure;
  };
  store.onEvent(fail);
  store.onEvent(({ current }) => told.push(current.key));
  store.subscribe(bucket, fail);
  store.subscribe(bucket, () => told.push("watcher"));
  step(store, "a/x", 1);
  await store.settled();
  assert.ok(store.getDurable(bucket, "a/x"));
  assert.deepEqual(told, ["a/x", "watcher"]);
  assert.deepEqual(reported, [failure, failure]);
});

test("readers see durable states, writers the newest state", async () => {
  const { journal, next } = slowJournal();
  const { store } = await openStore(journal);
  const told: string[] = [];
  store.onEvent(({ current }) => told.push(current.key));
  step(store, "a/x", 1);
  const one = await next();
  step(store, "a/x", null);
  step(store, "a/y", 1);
  assert.deepEqual(
    [store.head, store.getDurable(bucket, "a/x"), store.range(bucket, "").length],
    [1, undefined, 1],
  );
  one.resolve();
  const two = await next();
  assert.deepEqual([store.head, told], [2, ["a/x"]]);
  assert.equal(store.get(bucket, "a/x"), undefined);
  assert.ok(store.getDurable(bucket, "a/x"));
  assert.equal(store.getDurable(bucket, "a/y"), undefined);
  assert.deepEqual(
    store.rangeAt(bucket, "", store.head).map(({ key }) => key),
    ["a/x"],
  );
  two.resolve();
  await store.settled();
  assert.deepEqual([store.head, told], [4, ["a/x", "a/x", "a/y"]]);
  assert.equal(store.getDurable(bucket, "a/x"), undefined);
});

test("changes that the journal rejects are undone with all later ones, without events", async () => {
  const { journal, next } = slowJournal();
  const { store } = await openStore(journal);
  const kept = store.put(bucket, "a/x", 0, object("x"));
  (await next()).resolve();
  assert.ok(kept.kind === "written");
  await kept.durable;
  let woken = false;
  store.subscribe(bucket, () => {
    woken = true;
  });
  const { lastRevision } = { lastRevision: store.lastRevision(bucket) };
  const lost = store.put(bucket, "a/y", 0, object("y"));
  step(store, "a/x", null);
  const refused = await next();
  const later = store.put(bucket, "a/w", 0, object("w"));
  const settled = store.settled();
  refused.reject(new Error("database or disk is full"));
  assert.ok(lost.kind === "written" && later.kind === "written");
  const message = "Internal error occurred: the storage rejected the change: database or disk is full";
  await assert.rejects(lost.durable, { code: 500, reason: "InternalError", message });
  await assert.rejects(later.durable, { code: 500 });
  await assert.rejects(settled, { code: 500 });
  assert.deepEqual(
    store.range(bucket, "").map(({ key }) => key),
    ["a/x"],
  );
  assert.equal(woken, false);
  assert.notEqual(store.lastRevision(bucket), lastRevision);
  assert.notEqual(store.lastRevision(bucket), later.stored.revision);
  assert.equal(store.head, kept.stored.revision);
  const again = store.put(bucket, "a/z", 0, object("z"));
  (await next()).resolve();
  assert.ok(again.kind === "written");
  await again.durable;
  assert.ok(again.stored.revision > later.stored.revision);
  assert.deepEqual(
    store.eventsAfter(bucket, kept.stored.revision)?.map(({ current }) => current.key),
    ["a/z"],
  );
});

test("compacted history is distinguished from empty history", async () => {
  const { store } = await openStore();
  for (const value of [1, 2, 3]) step(store, "a/x", value);
  await store.settled();
  await store.compact(store.head - 1);
  assert.equal(store.eventsAfter(bucket, store.head - 2), undefined);
  assert.equal(store.eventsAfter(bucket, store.head - 1)?.length, 1);
  assert.deepEqual(store.eventsAfter(bucket, store.head), []);
});

test("history is compacted by age, number and size, oldest first", async () => {
  const { store, time } = await openStore(memoryJournal(), { events: 100, bytes: 100_000 });
  step(store, "a/x", 1);
  await store.settled();
  time.nowMs = 1_000;
  step(store, "a/x", 2);
  await store.settled();
  time.nowMs = 1_500;
  assert.equal(store.historyWindow.ms, 1_500);
  await store.forgetOlderThan(500);
  assert.deepEqual([store.compacted, store.historyWindow.events, store.historyWindow.ms], [2, 1, 500]);
  for (let at = 0; at < 101; at++) step(store, "a/y", at);
  await store.settled();
  assert.equal(store.historyWindow.events, 80);
  assert.equal(store.eventsAfter(bucket, store.head - 80)?.length, 80);
  assert.equal(store.eventsAfter(bucket, store.head - 81), undefined);
  for (let at = 0; at < 11; at++) store.put(bucket, `b/${at}`, 0, object("b", "x".repeat(10_000)));
  await store.settled();
  assert.ok(store.historyWindow.bytes <= 80_000, String(store.historyWindow.bytes));
  assert.ok(store.historyWindow.events >= 7);
});

test("signatures of different stores differ", async () => {
  const journal = memoryJournal();
  const [first, second] = [await openStore(journal), await openStore(journal)];
  assert.equal(first.store.sign("a"), first.store.sign("a"));
  assert.notEqual(first.store.sign("a"), first.store.sign("b"));
  assert.notEqual(first.store.sign("a"), second.store.sign("a"));
});

test("holdings are correct after every write and after undone writes", async () => {
  await fc.assert(
    fc.asyncProperty(steps, steps, async (before, writes) => {
      let isFull = false;
      const append = () => (isFull ? Promise.reject(new Error("the disk is full")) : undefined);
      const { store } = await openStore({ ...memoryJournal(), append });
      const holdingsOf = (each: object) => [scalarStringAt(each, "value")];
      const compare = () => {
        const values = store.range(bucket, "").map((each) => String(each.object.value));
        const holdings = store.holdings(bucket, holdingsOf);
        for (let value = 0; value < 10; value++)
          assert.equal(holdings.has(String(value)), values.includes(String(value)));
      };
      for (const [key, value] of before) step(store, key, value);
      await store.settled();
      compare();
      isFull = true;
      for (const [key, value] of writes) {
        step(store, key, value);
        compare();
      }
      await store.settled().catch(() => undefined);
      compare();
    }),
    { numRuns: 40 },
  );
});

test("an object above etcd's size limit is rejected without effect", async () => {
  const { store } = await openStore();
  store.put(bucket, "a", 0, object("a", "x".repeat(1_500_000)));
  await store.settled();
  const before = store.head;
  assert.throws(() => store.put(bucket, "b", 0, object("b", "x".repeat(1_600_000))), {
    code: 413,
    reason: "RequestEntityTooLarge",
    message: "etcdserver: request is too large",
  });
  assert.deepEqual([store.get(bucket, "b"), store.head], [undefined, before]);
});

test("a cluster at its size limit accepts writes that do not increase its size", async () => {
  const journal = memoryJournal();
  const cluster = await journal.addLog("c", "{}");
  const commits = new GroupCommit(journal, storageFailure);
  const store = await RevisionStore.open({ journal, commits, cluster, nowMs: () => 0, maxBytes: 10_000 });
  const first = store.put(bucket, "a", 0, object("a", "x".repeat(6_000)));
  assert.ok(first.kind === "written");
  const another = () => store.put(bucket, "b", 0, object("b", "x".repeat(6_000)));
  const full = { code: 429, message: /database space exceeded/ };
  assert.throws(another, full);
  const second = store.put(bucket, "a", first.stored.revision, object("a", "x".repeat(5_000)));
  assert.ok(second.kind === "written");
  assert.throws(another, full);
  store.remove(bucket, "a", second.stored.revision);
  assert.equal(another().kind, "written");
  await store.settled();
});

test("the largest history is compacted first", async () => {
  const histories = new SharedHistory({ events: 100, bytes: 1_000_000 });
  const open = async () => {
    const journal = memoryJournal();
    const cluster = await journal.addLog("c", "{}");
    const commits = new GroupCommit(journal, storageFailure);
    return RevisionStore.open({ journal, commits, cluster, nowMs: () => 0, histories });
  };
  const [quiet, busy] = [await open(), await open()];
  for (let at = 0; at < 10; at++) step(quiet, "a/x", at);
  await quiet.settled();
  for (let at = 0; at < 1_000; at++) {
    step(busy, "a/x", at);
    if (at % 7 === 0) await busy.settled();
    assert.ok(histories.total.events <= 107, `${histories.total.events} events`);
  }
  await busy.settled();
  assert.equal(quiet.historyWindow.events, 10);
  assert.ok(busy.compacted > 800);
  step(busy, "a/y", 0);
  busy.put(bucket, "b/x", 0, object("b", "x".repeat(1_100_000)));
  await busy.settled();
  assert.equal(quiet.historyWindow.events, 10);
  assert.ok(histories.total.bytes <= 1_000_000);
  const { events } = quiet.historyWindow;
  busy.close();
  assert.equal(histories.total.events, events);
});
