import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Secret, silentLogger } from "@keelson/base";
import fc from "fast-check";
import { create, remove, replace } from "../documents/database.ts";
import { openDatabase } from "../open.ts";
import { freshMemoryDriver } from "../testing/memory-driver.ts";
import { openTestStore, type SqlTestStore } from "../testing/sql-store.ts";
import { type TestDatabase, testDefinitions, testKeyring } from "../testing/test-documents.ts";

const signal = AbortSignal.timeout(900_000);
const keyring = testKeyring();
let store: SqlTestStore;
/** Second process with a separate cache. */
let other: TestDatabase;
before(async () => {
  store = await openTestStore(await freshMemoryDriver(), keyring);
  const driver = store.shared;
  other = await openDatabase({ driver, definitions: testDefinitions, keyring, logger: silentLogger, signal });
});
after(async () => {
  await other[Symbol.asyncDispose]();
  await store[Symbol.asyncDispose]();
});

const steps = fc.array(
  fc.record({
    id: fc.constantFrom("a", "b", "c"),
    write: fc.constantFrom("put", "remove", "none"),
    by: fc.constantFrom("one", "other"),
  }),
  { minLength: 5, maxLength: 25 },
);

test("every read, alone, by key or in a list, sees what either process has written before it", async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (script) => {
      await store.clear();
      const model = new Map<string, number>();
      for (const [version, { id, write, by }] of script.entries()) {
        const database = by === "one" ? store.database : other;
        const { clusters } = database.collections;
        const stored = await clusters.find("p", id, signal);
        const document = { id, partitionKey: "p", key: `/k/${id}`, version };
        const change =
          write === "put"
            ? stored
              ? replace(clusters, stored, document)
              : create(clusters, document)
            : stored && write === "remove"
              ? remove(clusters, stored)
              : undefined;
        if (change) {
          assert.equal((await database.commit("p", [change], { signal })).kind, "committed");
          if (write === "put") model.set(id, version);
          else model.delete(id);
        }
        const expected = [...model].sort(([a], [b]) => (a < b ? -1 : 1));
        for (const reader of [store.database, other]) {
          const seen = reader.collections.clusters;
          const [list, ...found] = await Promise.all([
            seen.list({ partitionKey: "p", orderBy: "key", limit: 2 }, signal),
            ...["a", "b", "c"].map((each) => seen.find("p", each, signal)),
            ...["a", "b", "c"].map((each) => seen.findBy(undefined, "key", `/k/${each}`, signal)),
          ]);
          const one = ["a", "b", "c"].map((each) => model.get(each));
          assert.deepEqual(
            found.map((each) => each?.document.version),
            [...one, ...one],
          );
          assert.deepEqual(
            list.items.map(({ document }) => [document.id, document.version]),
            expected.slice(0, 2),
          );
          assert.equal(list.continuation !== undefined, expected.length > 2);
        }
      }
    }),
    { numRuns: 15 },
  );
});

test("an unchanged version is the same object, frozen; only a new version is sent", async () => {
  await store.clear();
  const { clusters } = store.database.collections;
  const openShiftCluster = { sshKey: new Secret("key"), profiles: [{ name: "n" }] };
  const document = { id: "a", partitionKey: "p", key: "/k/a", openShiftCluster };
  await store.database.commit("p", [create(clusters, document)], { signal });
  const read = () => clusters.find("p", "a", signal);
  const [first, again] = [await read(), await read()];
  assert.ok(first && again?.document === first.document);
  assert.throws(
    () => Object.assign(first.document.openShiftCluster?.profiles?.[0] ?? {}, { name: "x" }),
    TypeError,
  );
  assert.equal(first.document.openShiftCluster?.sshKey?.reveal(), "key");
  await store.database.commit("p", [replace(clusters, first, { ...first.document, version: 2 })], { signal });
  assert.equal((await read())?.document.version, 2);
});

test("lookups by several unique keys at once find each its own", async () => {
  await store.clear();
  const { clusters } = store.database.collections;
  const writes = [
    create(clusters, { id: "a", partitionKey: "p", key: "x", clientIdKey: "y" }),
    create(clusters, { id: "b", partitionKey: "p", key: "y", clientIdKey: "z" }),
    create(clusters, { id: "c", partitionKey: "p", key: "z" }),
  ];
  await store.database.commit("p", writes, { signal });
  const lookups = [
    ["key", "x", "a"],
    ["clientIdKey", "x", undefined],
    ["key", "y", "b"],
    ["clientIdKey", "y", "a"],
    ["key", "z", "c"],
    ["clientIdKey", "z", "b"],
  ] as const;
  // The second iteration reads from the cache.
  for (const _ of [1, 2]) {
    const found = await Promise.all(
      lookups.map(([key, value]) => clusters.findBy(undefined, key, value, signal)),
    );
    assert.deepEqual(
      found.map((each) => each?.document.id),
      lookups.map(([, , id]) => id),
    );
  }
});
