import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { inspect } from "node:util";
import { resourceKey } from "@keelson/arm";
import { Secret, silentLogger } from "@keelson/base";
import { definitions } from "@keelson/model";
import fc from "fast-check";
import type { ListQuery, Stored } from "./documents/collection.ts";
import { create, createLeased, remove, replace, unchanged } from "./documents/database.ts";
import type { Lease } from "./documents/lease.ts";
import { tableOf } from "./documents/table.ts";
import { generateKey } from "./encryption/keyring.ts";
import { migrate } from "./migrations/migrate.ts";
import { type Migration, readMigrations } from "./migrations/migration.ts";
import { openDatabase } from "./open.ts";
import { sweep } from "./store/housekeeping.ts";
import { targets } from "./testing/targets.ts";
import {
  type TestCluster,
  type TestDatabase,
  testCluster,
  testDefinitions,
  testKeyring,
} from "./testing/test-documents.ts";
import type { Target, TestStore, TestTables } from "./testing/test-store.ts";

const partition = "subscription";
const signal = AbortSignal.timeout(900_000);
const ttlMs = 60_000;

for (const [name, kind] of Object.entries(targets)) {
  describe(name, () => {
    let target: Target;
    let store: TestStore;
    let database: TestDatabase;
    let clusters: TestDatabase["collections"]["clusters"];
    let journal: TestDatabase["collections"]["journal"];
    const keyring = testKeyring();

    before(async () => {
      target = await kind.start();
      store = await target.open(keyring);
      database = store.database;
      ({ clusters, journal } = database.collections);
    });
    beforeEach(() => store.clear());
    after(async () => {
      await store[Symbol.asyncDispose]();
      await target[Symbol.asyncDispose]();
    });

    /** Stores a new cluster, reads it back and returns it. */
    async function stored(overrides: Partial<TestCluster> = {}) {
      const document = testCluster(overrides);
      const result = await database.commit(document.partitionKey, [create(clusters, document)], { signal });
      assert.equal(result.kind, "committed");
      return found(document);
    }

    async function found({ partitionKey, id }: Pick<TestCluster, "partitionKey" | "id">) {
      const read = await clusters.find(partitionKey, id, signal);
      assert.ok(read, `document ${id} is there`);
      return read;
    }

    async function acquire(owner: string, limit = 1) {
      return clusters.acquire({ owner, ttlMs, limit, signal });
    }

    async function acquired(owner: string) {
      const [leased] = await acquire(owner);
      assert.ok(leased, "a document could be leased");
      return leased;
    }

    const expireLeases = () => store.expireLeases();
    // The store's estimate of the server clock may be up to a second behind. The backoff therefore ends two seconds in the past.
    const endBackoff = () => store.endBackoffIn(-2_000);
    const entry = (id: string) => ({ id, partitionKey: partition, operationId: "operation" });

    describe("documents", () => {
      test("a document is read completely, including unknown fields, by ID and by key", async () => {
        const json =
          '{"a":[1,{"b":null}],"__proto__":{"x":1},"t":"\\u0000\\ud800 🦺","deep":{"er":{"est":[[]]}}}';
        const { document } = await stored({ key: "/k", openShiftCluster: { unknown: JSON.parse(json) } });
        for (const read of [
          await found(document),
          await clusters.findBy(partition, "key", "/k", signal),
          await clusters.findBy(undefined, "key", "/k", signal),
        ]) {
          assert.equal(JSON.stringify(read?.document.openShiftCluster?.unknown), json);
        }
      });

      test("any unknown JSON survives a create and an update", async () => {
        await fc.assert(
          fc.asyncProperty(fc.dictionary(fc.string(), fc.jsonValue()), async (unknown) => {
            const first = await stored({ openShiftCluster: { unknown } });
            await database.commit(partition, [replace(clusters, first, { ...first.document, version: 2 })], {
              signal,
            });
            const { document } = await found(first.document);
            assert.deepEqual(document.openShiftCluster, JSON.parse(JSON.stringify({ unknown })));
            assert.equal(document.version, 2);
          }),
          { numRuns: 30 },
        );
      });

      test("what no row can have is not found", async () => {
        await stored({ key: "/k" });
        assert.equal(await clusters.find("other", "x", signal), undefined);
        for (const text of ["a\0b", "a\ud800"]) {
          assert.equal(await clusters.find(text, text, signal), undefined);
          assert.equal(await clusters.findBy(undefined, "key", text, signal), undefined);
          assert.deepEqual(await clusters.list({ partitionKey: text, limit: 1 }, signal), { items: [] });
        }
        assert.equal(await clusters.findBy("other", "key", "/k", signal), undefined);
      });

      test("an ambiguous or unknown key is an error", async () => {
        await database.commit(partition, [create(journal, entry("1")), create(journal, entry("2"))], {
          signal,
        });
        await assert.rejects(journal.findBy(partition, "operationId", "operation", signal), {
          name: "AmbiguousKey",
        });
        await assert.rejects(journal.findBy(partition, "body", "x", signal), { name: "InvalidQuery" });
      });

      test("an aborted caller gets its own reason", async () => {
        const reason = new Error("draining");
        await assert.rejects(clusters.find(partition, "x", AbortSignal.abort(reason)), reason);
      });

      test("a ping asks the database, as long as its caller wants", async () => {
        await database.ping(signal);
        const reason = new Error("draining");
        await assert.rejects(database.ping(AbortSignal.abort(reason)), reason);
      });
    });

    describe("commits", () => {
      test("a create of an existing ID conflicts, in its partition only", async () => {
        const { document } = await stored();
        const again = [create(clusters, { ...document, key: "/other" })];
        const conflict = { kind: "conflict", write: 0, reason: "exists" };
        assert.deepEqual(await database.commit(partition, again, { signal }), conflict);
        await stored({ id: document.id, partitionKey: "other" });
      });

      test("a replace or removal of an old version conflicts and changes nothing", async () => {
        const old = await stored();
        await database.commit(partition, [replace(clusters, old, { ...old.document, version: 2 })], {
          signal,
        });
        const conflict = { kind: "conflict", write: 0, reason: "changed" };
        for (const write of [replace(clusters, old, old.document), remove(clusters, old)]) {
          assert.deepEqual(await database.commit(partition, [write], { signal }), conflict);
        }
        assert.equal((await found(old.document)).document.version, 2);
      });

      test("a replace of a document that was removed and created again is a conflict", async () => {
        const old = await stored();
        await database.commit(partition, [remove(clusters, old)], { signal });
        const write = [replace(clusters, old, old.document)];
        const absent = { kind: "conflict", write: 0, reason: "absent" };
        assert.deepEqual(await database.commit(partition, write, { signal }), absent);
        await stored(old.document);
        const changed = { kind: "conflict", write: 0, reason: "changed" };
        assert.deepEqual(await database.commit(partition, write, { signal }), changed);
      });

      test("an invalid etag conflicts", async () => {
        const { document } = await stored();
        const write = replace(clusters, { document, etag: "W/x" }, document);
        const conflict = { kind: "conflict", write: 0, reason: "changed" };
        assert.deepEqual(await database.commit(partition, [write], { signal }), conflict);
      });

      test("a unique key is unique in the whole region, for creates and replaces", async () => {
        await stored({ clientIdKey: "client", partitionKey: "elsewhere" });
        const second = await stored();
        const duplicate = { kind: "duplicate", write: 0, key: "clientIdKey" };
        const document = { ...second.document, clientIdKey: "client" };
        assert.deepEqual(
          await database.commit(partition, [replace(clusters, second, document)], { signal }),
          duplicate,
        );
        const third = create(clusters, testCluster({ clientIdKey: "client" }));
        assert.deepEqual(await database.commit(partition, [third], { signal }), duplicate);
      });

      test("of creations at once those that collide fail, each by itself, and all others are done", async () => {
        await stored({ clientIdKey: "taken" });
        const keys = ["a", "taken", "b", "c", "twice", "twice"];
        const documents = keys.map((clientIdKey) => testCluster({ clientIdKey }));
        const results = await Promise.all(
          documents.map((document, index) => {
            const writes = [create(clusters, document), create(journal, entry(`\u2028"${index}`))];
            return database.commit(partition, writes, { signal });
          }),
        );
        const kinds = results.map(({ kind }) => kind);
        assert.deepEqual(kinds.slice(0, 4), ["committed", "duplicate", "committed", "committed"]);
        assert.deepEqual(kinds.slice(4).sort(), ["committed", "duplicate"]);
        for (const [index, result] of results.entries()) {
          const document = documents[index];
          assert.ok(document);
          const read = await clusters.find(partition, document.id, signal);
          const line = await journal.find(partition, `\u2028"${index}`, signal);
          if (result.kind === "committed") assert.deepEqual([read?.etag, line?.etag], result.etags);
          else assert.deepEqual([read, line], [undefined, undefined]);
        }
      });

      test("the failed write is identified, and its commit writes nothing", async () => {
        const [first, second] = [await stored({ clientIdKey: "taken" }), await stored()];
        await database.commit(partition, [create(journal, entry("taken"))], { signal });
        const good = [
          create(journal, entry("new")),
          replace(clusters, second, { ...second.document, version: 2 }),
          create(clusters, testCluster({ clientIdKey: "free" })),
        ];
        for (const [bad, expected] of [
          [create(journal, entry("taken")), { kind: "conflict", write: 3, reason: "exists" }],
          [
            replace(clusters, { ...first, etag: "0" }, first.document),
            { kind: "conflict", write: 3, reason: "changed" },
          ],
          [
            remove(clusters, { document: testCluster(), etag: "1" }),
            { kind: "conflict", write: 3, reason: "absent" },
          ],
          [
            create(clusters, testCluster({ clientIdKey: "taken" })),
            { kind: "duplicate", write: 3, key: "clientIdKey" },
          ],
          // Two writes of the same commit have the same unique value.
          [
            create(clusters, testCluster({ clientIdKey: "free" })),
            { kind: "duplicate", write: 3, key: "clientIdKey" },
          ],
        ] as const) {
          assert.deepEqual(await database.commit(partition, [...good, bad], { signal }), expected);
          assert.deepEqual((await found(second.document)).etag, second.etag);
          assert.equal(await journal.find(partition, "new", signal), undefined);
        }
        const result = await database.commit(partition, [...good, remove(clusters, first)], { signal });
        assert.equal(result.kind === "committed" && result.etags.length, 4);
        assert.equal(result.kind === "committed" && result.etags[3], "");
        assert.equal(await clusters.find(partition, first.document.id, signal), undefined);
      });

      test("of 20 concurrent writers of one version exactly one wins", async () => {
        const old = await stored({ version: 0 });
        const results = await Promise.all(
          Array.from({ length: 20 }, (_, index) =>
            database.commit(partition, [replace(clusters, old, { ...old.document, version: index + 1 })], {
              signal,
            }),
          ),
        );
        const winner = results.findIndex(({ kind }) => kind === "committed");
        assert.equal(results.filter(({ kind }) => kind === "committed").length, 1);
        assert.equal((await found(old.document)).document.version, winner + 1);
      });

      test("20 concurrent read-modify-writes that retry lose no update", async () => {
        const { document } = await stored({ version: 0 });
        const increment = async () => {
          for (;;) {
            const read = await found(document);
            const next = { ...read.document, version: (read.document.version ?? 0) + 1 };
            const { kind } = await database.commit(partition, [replace(clusters, read, next)], { signal });
            if (kind === "committed") return;
          }
        };
        await Promise.all(Array.from({ length: 20 }, increment));
        assert.equal((await found(document)).document.version, 20);
      });

      test("commits that lock the same documents in opposite orders all end", async () => {
        const [left, right] = [await stored({ version: 0 }), await stored({ version: 0 })];
        const results = await Promise.all(
          Array.from({ length: 30 }, (_, index) => {
            const writes = [left, right].map((each) =>
              replace(clusters, each, { ...each.document, version: 1 }),
            );
            return database.commit(partition, index % 2 ? writes : writes.toReversed(), { signal });
          }),
        );
        assert.equal(results.filter(({ kind }) => kind === "committed").length, 1);
      });

      test("a condition alone holds while its document is as it was read, and changes nothing of it", async () => {
        const read = await stored();
        const commitIf = (id: string, conditions: readonly Stored<TestCluster>[]) =>
          database.commit(
            partition,
            [
              create(journal, { id, partitionKey: partition, operationId: "o" }),
              ...conditions.map((each) => unchanged(clusters, each)),
            ],
            { signal },
          );
        const result = await commitIf("first", [read, await stored()]);
        assert.ok(result.kind === "committed");
        assert.equal(result.etags[1], read.etag);
        assert.equal((await found(read.document)).etag, read.etag);
        await database.commit(partition, [replace(clusters, read, read.document)], { signal });
        const changed = { kind: "conflict", write: 1, reason: "changed" };
        assert.deepEqual(await commitIf("second", [read]), changed);
        const next = await found(read.document);
        await database.commit(partition, [remove(clusters, next)], { signal });
        const absent = { kind: "conflict", write: 1, reason: "absent" };
        assert.deepEqual(await commitIf("third", [next]), absent);
        assert.ok(await journal.find(partition, "first", signal));
        for (const id of ["second", "third"])
          assert.equal(await journal.find(partition, id, signal), undefined);
      });

      test("of many commits with one condition, those before a change succeed, and those after it conflict", async () => {
        const read = await stored({ version: 1 });
        const entryIf = (id: string) =>
          database.commit(
            partition,
            [create(journal, { id, partitionKey: partition, operationId: "o" }), unchanged(clusters, read)],
            { signal },
          );
        const all = await Promise.all(Array.from({ length: 40 }, (_, index) => entryIf(`before${index}`)));
        assert.deepEqual(new Set(all.map(({ kind }) => kind)), new Set(["committed"]));
        const written = async () =>
          (await journal.list({ partitionKey: partition, limit: 200 }, signal)).items.length;
        const racing = Array.from({ length: 40 }, async (_, index) => {
          await delay(index % 8);
          return entryIf(`beside${index}`);
        });
        const change = [replace(clusters, read, { ...read.document, version: 2 })];
        assert.equal((await database.commit(partition, change, { signal })).kind, "committed");
        const atChange = await written();
        const results = await Promise.all(racing);
        assert.equal(await written(), atChange);
        assert.equal(results.filter(({ kind }) => kind === "committed").length, atChange - 40);
        for (const each of results)
          if (each.kind !== "committed")
            assert.deepEqual(each, { kind: "conflict", write: 1, reason: "changed" });
      });

      test("an etag of a commit serves for the next one", async () => {
        const first = await stored();
        const result = await database.commit(partition, [replace(clusters, first, first.document)], {
          signal,
        });
        assert.ok(result.kind === "committed" && result.etags[0]);
        assert.equal((await found(first.document)).etag, result.etags[0]);
      });

      test("no writes and no lease are a commit that changes nothing", async () => {
        assert.deepEqual(await database.commit(partition, [], { signal }), { kind: "committed", etags: [] });
      });

      test("what cannot be one commit is refused", async () => {
        const read = await stored();
        const { document } = read;
        const lease = {
          collection: "journal",
          partitionKey: partition,
          id: "1",
          owner: "o",
          generation: 1,
          expiresAt: new Date(),
        };
        const refused = { name: "InvalidWrite" };
        const reject = (writes: Parameters<TestDatabase["commit"]>[1], options = {}) =>
          assert.rejects(database.commit(partition, writes, { signal, ...options }), refused);
        await reject([create(clusters, testCluster({ partitionKey: "other" }))]);
        await reject([replace(clusters, read, document), remove(clusters, read)]);
        await reject([{ kind: "create", collection: "elsewhere", document }]);
        await reject([create(clusters, testCluster({ id: "a\0b" }))]);
        await reject([create(clusters, testCluster({ key: "a\ud800" }))]);
        await reject([], { lease });
        await reject([], { release: true });
        await reject([], { lease: { ...lease, collection: "openshift_clusters", partitionKey: "other" } });
      });
    });

    describe("queue", () => {
      test("documents are leased in the order in which they entered, each once", async () => {
        const ids = [];
        for (let index = 0; index < 5; index++) ids.push((await stored({ busy: true })).document.id);
        await stored({ busy: false });
        assert.deepEqual(await clusters.queueLength(signal), { begun: 0, fresh: 5 });
        const oldest = await clusters.oldestQueuedSeconds(signal);
        if (kind.hasTables) assert.ok(oldest !== undefined && oldest >= 0 && oldest < 3_600, `${oldest} s`);
        else assert.equal(oldest, undefined);
        const taken = [...(await acquire("a", 2)), ...(await acquire("b", 2)), ...(await acquire("c", 10))];
        assert.deepEqual(
          taken.map(({ document }) => document.id),
          ids,
        );
        assert.deepEqual(await clusters.queueLength(signal), { begun: 0, fresh: 0 });
        assert.deepEqual(await acquire("d"), []);
      });

      test("a document can enter with the lease of its first worker, under which that one works and others later", async () => {
        const document = testCluster({ busy: true });
        const write = createLeased(clusters, document, { owner: "maker", ttlMs });
        const result = await database.commit(partition, [create(journal, entry("1")), write], { signal });
        assert.ok(result.kind === "committed");
        const [lease] = result.leases ?? [];
        assert.ok(lease);
        assert.deepEqual([lease.owner, lease.id, result.leases?.length], ["maker", document.id, 1]);
        assert.deepEqual(await acquire("other"), []);
        assert.equal((await clusters.renew(lease, ttlMs, signal)).kind, "renewed");
        const made = { document, etag: result.etags[1] ?? "" };
        const changed = replace(clusters, made, { ...document, version: 2 });
        assert.equal((await database.commit(partition, [changed], { lease, signal })).kind, "committed");
        await expireLeases();
        const taken = await acquired("other");
        assert.deepEqual([taken.document.version, taken.attempt], [2, 2]);
        assert.deepEqual(await clusters.renew(lease, ttlMs, signal), { kind: "lost" });
      });

      test("a document keeps its place while queued, and goes to the end when it enters again", async () => {
        const first = await stored({ busy: true });
        const second = await stored({ busy: true });
        await database.commit(partition, [replace(clusters, first, { ...first.document, version: 2 })], {
          signal,
        });
        assert.equal((await acquired("a")).document.id, first.document.id);
        await expireLeases();
        for (const busy of [false, true]) {
          const read = await found(first.document);
          await database.commit(partition, [replace(clusters, read, { ...read.document, busy })], { signal });
        }
        const order = await acquire("b", 2);
        assert.deepEqual(
          order.map(({ document }) => document.id),
          [second.document.id, first.document.id],
        );
      });

      test("attempts increase with each acquisition, and restart with a release or a new entry", async () => {
        const { document } = await stored({ busy: true });
        assert.equal((await acquired("a")).attempt, 1);
        await expireLeases();
        const second = await acquired("b");
        assert.equal(second.attempt, 2);
        await clusters.release(second.lease, { backoffMs: 0, signal });
        const third = await acquired("c");
        assert.equal(third.attempt, 3);
        const handOver = { lease: third.lease, release: true, signal };
        assert.equal((await database.commit(partition, [], handOver)).kind, "committed");
        assert.equal((await acquired("d")).attempt, 1);
        await expireLeases();
        assert.equal((await acquired("e")).attempt, 2);
        for (const busy of [false, true]) {
          const read = await found(document);
          await database.commit(partition, [replace(clusters, read, { ...read.document, busy })], { signal });
        }
        await expireLeases();
        assert.equal((await acquired("f")).attempt, 1);
      });

      test("documents with due times are leased at those times, by time and then by priority", async () => {
        const { errands } = database.collections;
        const pastMs = Date.now() - 60_000;
        const errand = (id: string, dueAtMs: number, priority: number) =>
          create(errands, { id, partitionKey: partition, dueAtMs, priority });
        await database.commit(
          partition,
          [
            errand("late", pastMs + 2, 0),
            errand("unimportant", pastMs, 2),
            errand("negative", pastMs, -1),
            errand("important", pastMs, 1),
            errand("to come", Date.now() + 3_600_000, -9),
          ],
          { signal },
        );
        assert.deepEqual(await errands.queueLength(signal), { begun: 0, fresh: 4 });
        const options = { owner: "a", ttlMs, limit: 2, signal };
        const taken = [
          ...(await errands.acquire(options)),
          ...(await errands.acquire({ ...options, limit: 9 })),
        ];
        const order = ["negative", "important", "unimportant", "late"];
        assert.deepEqual(
          taken.map(({ document }) => document.id),
          order,
        );
        const [first] = taken;
        assert.ok(first);
        await errands.release(first.lease, { backoffMs: 0, signal });
        const later = { ...first.document, dueAtMs: Date.now() + 3_600_000 };
        await database.commit(partition, [replace(errands, first, later)], { signal });
        assert.deepEqual(await errands.acquire(options), [], "a write moves it");
      });

      test("an acquisition that could not begin is not counted", async () => {
        await stored({ busy: true });
        for (let time = 1; time <= 3; time++) {
          const { lease, attempt } = await acquired("a");
          assert.equal(attempt, 1);
          await clusters.release(lease, { backoffMs: 0, uncounted: true, signal });
        }
      });

      test("an idle document is leased by ID, and enters the queue without being leased from there", async () => {
        const resting = await stored({});
        const take = (owner: string) =>
          clusters.acquireIdleById({
            partitionKey: partition,
            id: resting.document.id,
            owner,
            ttlMs,
            signal,
          });
        const leased = await take("a");
        assert.ok(leased);
        assert.deepEqual(leased.document, resting.document);
        assert.equal(await take("b"), undefined, "it is held");
        const busy = { ...leased.document, busy: true };
        const written = await database.commit(partition, [replace(clusters, leased, busy)], { signal });
        assert.equal(written.kind, "committed");
        assert.deepEqual(await acquire("worker"), []);
        assert.equal((await clusters.renew(leased.lease, ttlMs, signal)).kind, "renewed");
        await clusters.release(leased.lease, { backoffMs: 0, signal });
        assert.equal(await take("c"), undefined, "it is queued");
        assert.equal((await acquired("worker")).attempt, 1);
        const none = { partitionKey: partition, id: "none", owner: "a", ttlMs, signal };
        assert.equal(await clusters.acquireIdleById(none), undefined);
      });

      test("a worker writes under a lease by ID, and the next worker does not wait after its end", async () => {
        const { document } = await stored({});
        const take = (owner: string) =>
          clusters.acquireIdleById({ partitionKey: partition, id: document.id, owner, ttlMs, signal });
        const first = await take("a");
        assert.ok(first);
        const write = replace(clusters, first, { ...document, version: 2 });
        const { lease } = first;
        assert.equal((await database.commit(partition, [write], { lease, signal })).kind, "committed");
        await expireLeases();
        const second = await take("b");
        assert.ok(second);
        assert.equal(second.document.version, 2);
        assert.equal((await clusters.renew(lease, ttlMs, signal)).kind, "lost");
        const busy = replace(clusters, second, { ...second.document, busy: true });
        assert.equal((await database.commit(partition, [busy], { signal })).kind, "committed");
        assert.deepEqual(await acquire("worker"), []);
        await expireLeases();
        assert.equal((await acquired("worker")).document.version, 2);
      });

      test("a document given back waits out its back-off", async () => {
        await stored({ busy: true });
        const { lease } = await acquired("a");
        await clusters.release(lease, { backoffMs: 60_000, signal });
        assert.deepEqual(await clusters.queueLength(signal), { begun: 0, fresh: 1 });
        assert.deepEqual(await acquire("b"), []);
        await endBackoff();
        assert.equal((await acquired("b")).attempt, 2);
        await clusters.release(lease, { backoffMs: 0, signal });
        assert.deepEqual(await acquire("c"), [], "the release of a lost lease does nothing");
      });

      test("a document that leaves the queue is leased no more, and a new entry has no back-off", async () => {
        const { document } = await stored({ busy: true });
        const { lease } = await acquired("a");
        await clusters.release(lease, { backoffMs: 60_000, signal });
        const read = await found(document);
        await database.commit(partition, [replace(clusters, read, { ...document, busy: false })], { signal });
        await endBackoff();
        assert.deepEqual(await acquire("b"), []);
        await store.endBackoffIn(3_600_000);
        const idle = await found(document);
        await database.commit(partition, [replace(clusters, idle, { ...document, busy: true })], { signal });
        assert.equal((await acquired("c")).attempt, 1);
      });

      test("200 concurrent acquires lease 100 documents once each", async () => {
        const writes = Array.from({ length: 100 }, () => create(clusters, testCluster({ busy: true })));
        for (let start = 0; start < writes.length; start += kind.writesPerCommit) {
          const some = writes.slice(start, start + kind.writesPerCommit);
          assert.equal((await database.commit(partition, some, { signal })).kind, "committed");
        }
        const taken = await Promise.all(
          Array.from({ length: 200 }, (_, index) => acquire(`worker-${index}`)),
        );
        const ids = taken.flat().map(({ document }) => document.id);
        assert.equal(ids.length, 100);
        assert.equal(new Set(ids).size, 100);
        assert.equal(new Set(taken.flat().map(({ lease }) => lease.generation)).size, 100);
      });
    });

    describe("leases", () => {
      test("a renewal moves the expiry; a lost lease stays lost", async () => {
        await stored({ busy: true });
        const { lease } = await acquired("a");
        const near = Date.now() + ttlMs;
        assert.ok(Math.abs(lease.expiresAt.getTime() - near) < 5_000);
        const renewed = await clusters.renew(lease, 2 * ttlMs, signal);
        assert.ok(renewed.kind === "renewed" && renewed.lease.expiresAt.getTime() > near + ttlMs / 2);
        assert.deepEqual(await clusters.renew({ ...lease, owner: "b" }, ttlMs, signal), { kind: "lost" });
        await expireLeases();
        assert.deepEqual(await clusters.renew(lease, ttlMs, signal), { kind: "lost" });
      });

      test("a lease runs out by itself", async () => {
        await stored({ busy: true });
        const [short] = await clusters.acquire({ owner: "a", ttlMs: 1, limit: 1, signal });
        assert.ok(short);
        await delay(5);
        const next = await acquired("a");
        assert.ok(next.lease.generation > short.lease.generation);
        assert.deepEqual(await clusters.renew(short.lease, ttlMs, signal), { kind: "lost" });
      });

      for (const [how, lose] of [
        ["expired", expireLeases],
        [
          "taken over by a different worker",
          async () => {
            await expireLeases();
            await acquired("successor");
          },
        ],
        [
          "taken over by the same worker",
          async () => {
            await expireLeases();
            await acquired("zombie");
          },
        ],
        ["of a removed document", () => store.removeClusters()],
      ] as const) {
        test(`a worker whose lease is ${how} can change nothing`, async () => {
          await stored({ busy: true });
          const leased = await acquired("zombie");
          await lose();
          const before = await store.storedClusters();
          for (const release of [false, true]) {
            for (const writes of [
              [],
              [replace(clusters, leased, { ...leased.document, version: 9 })],
              [remove(clusters, leased)],
              [create(journal, entry("1"))],
              [create(journal, entry("1")), replace(clusters, leased, { ...leased.document, version: 9 })],
            ]) {
              const result = await database.commit(partition, writes, {
                lease: leased.lease,
                release,
                signal,
              });
              assert.deepEqual(result, { kind: "lease-lost" });
            }
          }
          await clusters.release(leased.lease, { backoffMs: 0, signal });
          assert.deepEqual(await store.storedClusters(), before);
          assert.equal(await journal.find(partition, "1", signal), undefined);
        });
      }

      test("under its lease a worker writes the document and others, and gives it back, in one commit", async () => {
        await stored({ busy: true });
        const leased = await acquired("a");
        const { lease } = leased;
        await database.commit(partition, [create(journal, entry("1"))], { lease, signal });
        const next = { ...leased.document, busy: false };
        const writes = [replace(clusters, leased, next), create(journal, entry("2"))];
        assert.equal(
          (await database.commit(partition, writes, { lease, release: true, signal })).kind,
          "committed",
        );
        assert.ok(await journal.find(partition, "2", signal));
        assert.deepEqual(await clusters.renew(lease, ttlMs, signal), { kind: "lost" });
        assert.deepEqual(await acquire("b"), []);
      });

      test("a worker that holds its lease still loses against a newer version", async () => {
        const read = await stored({ busy: true });
        const leased = await acquired("a");
        await database.commit(partition, [replace(clusters, read, { ...read.document, version: 2 })], {
          signal,
        });
        const writes = [create(journal, entry("1")), replace(clusters, leased, leased.document)];
        const options = { lease: leased.lease, release: true, signal };
        const conflict = { kind: "conflict", write: 1, reason: "changed" };
        assert.deepEqual(await database.commit(partition, writes, options), conflict);
        assert.equal((await clusters.renew(leased.lease, ttlMs, signal)).kind, "renewed");
      });

      test("a worker may remove the document that it holds", async () => {
        await stored({ busy: true });
        const leased = await acquired("a");
        const options = { lease: leased.lease, release: true, signal };
        const result = await database.commit(partition, [remove(clusters, leased)], options);
        assert.deepEqual(result, { kind: "committed", etags: [""] });
        assert.equal(await clusters.find(partition, leased.document.id, signal), undefined);
      });

      test("renewals while a commit runs never make it fail", async () => {
        await stored({ busy: true });
        let leased = await acquired("a");
        for (let round = 0; round < 20; round++) {
          const write = replace(clusters, leased, { ...leased.document, version: round });
          const [renewal, result] = await Promise.all([
            clusters.renew(leased.lease, ttlMs, signal),
            database.commit(partition, [write], { lease: leased.lease, signal }),
          ]);
          assert.equal(renewal.kind, "renewed");
          assert.ok(result.kind === "committed" && result.etags[0]);
          leased = { ...leased, etag: result.etags[0] };
        }
      });

      test("a commit that races with a take-over is either before it and seen by it, or lost", async () => {
        for (let round = 0; round < 40; round++) {
          await store.clear();
          const { document } = await stored({ busy: true });
          const zombie = await acquired("zombie");
          const write = replace(clusters, zombie, { ...zombie.document, version: 1 });
          const [, [successor], result] = await Promise.all([
            expireLeases(),
            acquire("successor"),
            database.commit(partition, [write], { lease: zombie.lease, signal }),
            database.commit(partition, [create(journal, entry("1"))], { lease: zombie.lease, signal }),
          ]);
          const current = await found(document);
          assert.equal(current.document.version, result.kind === "committed" ? 1 : undefined);
          if (successor) assert.equal(successor.etag, current.etag);
        }
      });

      test("whatever happens in whatever order, only the last acquirer of an unexpired lease can write", async () => {
        const step = fc.oneof(
          fc.record({ kind: fc.constant("acquire" as const), worker: fc.nat(2) }),
          fc.record({ kind: fc.constant("commit" as const), worker: fc.nat(2), release: fc.boolean() }),
          fc.record({ kind: fc.constant("renew" as const), worker: fc.nat(2) }),
          fc.record({ kind: fc.constant("giveBack" as const), worker: fc.nat(2) }),
          fc.record({ kind: fc.constant("expire" as const) }),
        );
        await fc.assert(
          fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 20 }), async (steps) => {
            await store.clear();
            const { document } = await stored({ busy: true, version: 0 });
            const held: (Lease | undefined)[] = [];
            let holder: Lease | undefined;
            let version = 0;
            let newest = 0;
            for (const each of steps) {
              const lease = "worker" in each ? held[each.worker] : undefined;
              const holds = lease !== undefined && lease === holder;
              if (each.kind === "acquire") {
                const [leased] = await acquire(`worker-${each.worker}`);
                assert.equal(leased !== undefined, holder === undefined);
                if (!leased) continue;
                assert.ok(leased.lease.generation > newest);
                newest = leased.lease.generation;
                holder = held[each.worker] = leased.lease;
              } else if (each.kind === "expire") {
                await expireLeases();
                holder = undefined;
              } else if (!lease) {
              } else if (each.kind === "renew") {
                assert.equal((await clusters.renew(lease, ttlMs, signal)).kind, holds ? "renewed" : "lost");
              } else if (each.kind === "giveBack") {
                await clusters.release(lease, { backoffMs: 0, signal });
                if (holds) holder = undefined;
              } else {
                const read = await found(document);
                const write = replace(clusters, read, { ...read.document, version: version + 1 });
                const options = { lease, release: each.release, signal };
                const { kind } = await database.commit(partition, [write], options);
                assert.equal(kind, holds ? "committed" : "lease-lost");
                if (!holds) continue;
                version++;
                if (each.release) holder = undefined;
              }
            }
            assert.equal((await found(document)).document.version, version);
          }),
          { numRuns: 25 },
        );
      });
    });

    describe("expiry", () => {
      const expire = () => store.expireEntriesIn(-1);

      test("a document can set its time to live", async () => {
        await database.commit(partition, [create(journal, { ...entry("1"), ttlSeconds: 7_200 })], { signal });
        const left = await store.entryExpiresIn();
        assert.ok(left > 7_000_000 && left <= 7_201_000, `${left}`);
      });

      test("an expired document is neither read nor written, and its ID is free", async () => {
        await database.commit(partition, [create(journal, entry("1"))], { signal });
        const read = await journal.find(partition, "1", signal);
        assert.ok(read);
        await expire();
        assert.equal(await journal.find(partition, "1", signal), undefined);
        assert.equal(await journal.findBy(partition, "operationId", "operation", signal), undefined);
        assert.deepEqual((await journal.list({ limit: 10 }, signal)).items, []);
        const absent = { kind: "conflict", write: 0, reason: "absent" };
        assert.deepEqual(
          await database.commit(partition, [replace(journal, read, read.document)], { signal }),
          absent,
        );
        const again = await database.commit(partition, [create(journal, entry("1"))], { signal });
        assert.equal(again.kind, "committed");
        assert.ok(await journal.find(partition, "1", signal));
      });

      test("a write restarts the time", async () => {
        await database.commit(partition, [create(journal, entry("1"))], { signal });
        await store.expireEntriesIn(60_000);
        const read = await journal.find(partition, "1", signal);
        assert.ok(read);
        await database.commit(partition, [replace(journal, read, read.document)], { signal });
        assert.ok((await store.entryExpiresIn()) > 3_000_000);
      });
    });

    describe("lists", () => {
      /** Returns the document IDs on all pages. Calls `between` after each page. */
      async function pages(query: ListQuery, between: () => Promise<unknown> = async () => {}) {
        const ids: string[] = [];
        let continuation: string | undefined;
        do {
          const page = await clusters.list({ ...query, ...(continuation && { continuation }) }, signal);
          assert.ok(page.items.length <= query.limit);
          ids.push(...page.items.map(({ document }) => document.id));
          continuation = page.continuation;
          await between();
        } while (continuation);
        return ids;
      }

      test("pages hold every document once, in order, whatever is inserted and removed meanwhile", async () => {
        for (const partitionKey of ["p", "q"]) {
          for (let index = 10; index < 30; index++) {
            await stored({ id: `${index}`, partitionKey, key: `/${partitionKey}/${99 - index}` });
          }
        }
        const numbers = Array.from({ length: 20 }, (_, index) => `${index + 10}`);
        let inserted = 0;
        const disturb = async () => {
          inserted++;
          await stored({ id: `0${inserted}`, partitionKey: "p", key: `/a/${inserted}` });
        };
        assert.deepEqual(await pages({ partitionKey: "p", limit: 3 }, disturb), numbers);
        const byKey = { partitionKey: "p", orderBy: "key", prefix: { key: "key", value: "/p/" }, limit: 7 };
        assert.deepEqual(await pages(byKey, disturb), numbers.toReversed());
        const everywhere = (await pages({ limit: 6 })).filter((id) => !id.startsWith("0"));
        assert.deepEqual(
          everywhere,
          numbers.flatMap((id) => [id, id]),
        );
        assert.deepEqual(await pages({ orderBy: "key", limit: 20, partitionKey: "q" }), numbers.toReversed());
      });

      test("a page that is exactly full and last has no continuation", async () => {
        for (const id of ["1", "2"]) await stored({ id });
        assert.equal((await clusters.list({ limit: 2 }, signal)).continuation, undefined);
        assert.ok((await clusters.list({ limit: 1 }, signal)).continuation);
      });

      test("documents without the key by which a list is ordered are not in it", async () => {
        await stored({ id: "1", clientIdKey: "c" });
        await stored({ id: "2" });
        assert.deepEqual(await pages({ orderBy: "clientIdKey", limit: 5 }), ["1"]);
      });

      test("equality on keys narrows a list", async () => {
        await stored({ id: "1", key: "/k1" });
        await stored({ id: "2", key: "/k2" });
        assert.deepEqual(await pages({ where: { key: "/k2" }, limit: 5 }), ["2"]);
      });

      test("a prefix finds exactly the keys that start with it", async () => {
        const text = fc.string({
          unit: fc.constantFrom("a", "b", "%", "_", "\\", "\ud7ff", "\ue000", "🦺", "\u{10ffff}"),
          maxLength: 4,
        });
        await fc.assert(
          fc.asyncProperty(fc.uniqueArray(text, { maxLength: 15 }), text, async (keys, prefix) => {
            await store.clear();
            const writes = keys.map((key) => create(clusters, testCluster({ key })));
            await database.commit(partition, writes, { signal });
            const query = { prefix: { key: "key", value: prefix }, orderBy: "key", limit: 100 };
            const { items } = await clusters.list(query, signal);
            const codePoints = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));
            const expected = keys.filter((key) => key.startsWith(prefix)).sort(codePoints);
            assert.deepEqual(
              items.map(({ document }) => document.key),
              expected,
            );
          }),
          { numRuns: 25 },
        );
      });

      for (const [name, query] of [
        ["a limit of 0", { limit: 0 }],
        ["a limit that is no whole number", { limit: 1.5 }],
        ["an unknown key", { limit: 1, where: { body: "x" } }],
        ["an unknown order", { limit: 1, orderBy: "id; drop table journal" }],
        ["an invalid continuation", { limit: 1, continuation: "x" }],
        ["a continuation of a different shape", { limit: 1, continuation: "WzEsMiwzXQ" }],
      ] as const) {
        test(`${name} is refused`, () =>
          assert.rejects(clusters.list(query, signal), { name: "InvalidQuery" }));
      }

      test("a continuation of a different order is rejected", async () => {
        for (const id of ["1", "2"]) await stored({ id });
        const { continuation = "" } = await clusters.list({ limit: 1 }, signal);
        const query = { limit: 1, orderBy: "key", continuation };
        await assert.rejects(clusters.list(query, signal), { name: "InvalidQuery" });
      });
    });

    describe("secrets", () => {
      const secret = () => new Secret("correct horse battery staple");
      const body = () => store.storedBody();

      test("are not readable in the row, and are revealed to a reader", async () => {
        const { document } = await stored({
          openShiftCluster: {
            pullSecret: "plain battery",
            profiles: [{ password: secret() }],
            users: { a: { token: secret() } },
          },
        });
        assert.ok(!(await body()).includes("battery"));
        assert.ok(document.openShiftCluster?.pullSecret instanceof Secret);
        assert.equal(document.openShiftCluster.pullSecret.reveal(), "plain battery");
        assert.equal(document.openShiftCluster.profiles?.[0]?.password?.reveal(), secret().reveal());
        assert.equal(document.openShiftCluster.users?.a?.token?.reveal(), secret().reveal());
      });

      test("at an undeclared path fail the write", async () => {
        const document = { ...entry("1"), pullSecret: secret() };
        await assert.rejects(database.commit(partition, [create(journal, document)], { signal }), {
          name: "UndeclaredSecret",
        });
        assert.equal(await journal.find(partition, "1", signal), undefined);
      });

      test("moved to a different document cannot be decrypted", async () => {
        const [from, to] = [await stored({ openShiftCluster: { sshKey: secret() } }), await stored()];
        await store.copyBody(from.document.id, to.document.id);
        const { document } = await found(to.document);
        assert.throws(() => document.openShiftCluster?.sshKey?.reveal(), { name: "SecretTampered" });
        assert.deepEqual((await clusters.list({ limit: 5 }, signal)).items.length, 2);
      });

      test("written after a rotation use the new key at once; old ones still open", async () => {
        const old = await stored({ openShiftCluster: { sshKey: secret() } });
        assert.ok((await body()).includes('"key-1"'));
        keyring.rotate("key-2", generateKey());
        const read = await found(old.document);
        await database.commit(partition, [replace(clusters, read, read.document)], { signal });
        assert.ok((await body()).includes('"key-2"'));
        assert.equal(
          (await found(old.document)).document.openShiftCluster?.sshKey?.reveal(),
          secret().reveal(),
        );
      });

      test("under older keys are found, page by page, until they are written again", async () => {
        const old: string[] = [];
        for (let index = 0; index < 5; index++) {
          const { document } = await stored({ openShiftCluster: { sshKey: secret() } });
          old.push(document.id);
        }
        assert.equal(await clusters.countOutdated(signal), 0);
        keyring.rotate("key-3", generateKey());
        await stored({ openShiftCluster: { sshKey: secret() } });
        assert.equal(await clusters.countOutdated(signal), 5);
        const found: string[] = [];
        let continuation: string | undefined;
        do {
          const query = { limit: 2, ...(continuation && { continuation }) };
          const page = await clusters.listOutdated(query, signal);
          assert.ok(page.items.length <= 2);
          for (const each of page.items) {
            found.push(each.document.id);
            await database.commit(partition, [replace(clusters, each, each.document)], { signal });
          }
          continuation = page.continuation;
        } while (continuation);
        assert.deepEqual(found.sort(), old.sort());
        assert.equal(await clusters.countOutdated(signal), 0);
        assert.deepEqual(await clusters.listOutdated({ limit: 1 }, signal), { items: [] });
      });

      test("with a missing key do not block reads or the queue, and stay unchanged", async () => {
        const bad = await stored({ id: "bad", busy: true, openShiftCluster: { sshKey: secret() } });
        const good = await stored({ id: "good", busy: true });
        const stranger = await openDatabase({
          driver: store.shared,
          definitions: testDefinitions,
          keyring: testKeyring(),
          logger: silentLogger,
          signal,
        });
        await using _ = stranger;
        const strangers = stranger.collections.clusters;
        const before = await body();
        const missing = { name: "EncryptionKeyMissing" };
        const listed = await strangers.list({ limit: 5 }, signal);
        const read = await strangers.find(partition, "bad", signal);
        for (const unopened of [read, listed.items.find(({ document }) => document.id === "bad")]) {
          assert.throws(() => unopened?.document.openShiftCluster?.sshKey?.reveal(), missing);
        }
        assert.ok(read);
        await assert.rejects(
          stranger.commit(partition, [replace(strangers, read, read.document)], { signal }),
          missing,
        );
        const options = { owner: "a", ttlMs, limit: 1, signal };
        const taken = await strangers.acquire(options);
        assert.deepEqual(
          taken.map(({ document }) => document.id),
          ["good"],
        );
        assert.deepEqual(await strangers.acquire(options), []);
        assert.equal(await body(), before);
        assert.equal((await found(bad.document)).etag, bad.etag);
        await endBackoff();
        const [readable] = await acquire("b");
        assert.equal(readable?.document.id, "bad");
        assert.equal(readable.attempt, 1);
        assert.equal((await found(good.document)).etag, good.etag);
      });
    });

    describe("change feed", () => {
      test("starts with a resync, then sends each change of a document, and ends with its signal", async () => {
        const stop = new AbortController();
        const changes = database.changes(stop.signal)[Symbol.asyncIterator]();
        assert.deepEqual(await changes.next(), { done: false, value: { kind: "resync" } });
        const first = await stored({ busy: true });
        const { id } = first.document;
        const changed = { kind: "changed", collection: "openshift_clusters", partitionKey: partition, id };
        assert.deepEqual((await changes.next()).value, changed);
        const leased = await acquired("a");
        await clusters.renew(leased.lease, ttlMs, signal);
        await database.commit(partition, [replace(clusters, leased, leased.document)], { signal });
        assert.deepEqual((await changes.next()).value, changed);
        await database.commit(partition, [create(journal, entry("1"))], { signal });
        const inJournal = { kind: "changed", collection: "journal", partitionKey: partition, id: "1" };
        assert.deepEqual((await changes.next()).value, inJournal, "neither lease nor renewal is a change");
        await clusters.release(leased.lease, { backoffMs: 0, signal });
        assert.deepEqual(
          (await changes.next()).value,
          changed,
          "a document given back is one for waiting workers",
        );
        await database.commit(partition, [remove(clusters, await found({ id, partitionKey: partition }))], {
          signal,
        });
        assert.deepEqual((await changes.next()).value, changed);
        const waiting = changes.next();
        stop.abort();
        assert.equal((await waiting).done, true);
      });

      test("ends when its database is disposed", async () => {
        const options = {
          driver: store.shared,
          definitions: testDefinitions,
          keyring,
          logger: silentLogger,
          signal,
        };
        const other = await openDatabase(options);
        const changes = other.changes(signal)[Symbol.asyncIterator]();
        await changes.next();
        const waiting = changes.next();
        await other[Symbol.asyncDispose]();
        assert.equal((await waiting).done, true);
      });

      test("a failed commit sends no change", async () => {
        const stop = new AbortController();
        const changes = database.changes(stop.signal)[Symbol.asyncIterator]();
        await changes.next();
        const failing = [
          create(journal, entry("1")),
          remove(clusters, { document: testCluster(), etag: "1" }),
        ];
        await database.commit(partition, failing, { signal });
        await database.commit(partition, [create(journal, entry("2"))], { signal });
        const inJournal = { kind: "changed", collection: "journal", partitionKey: partition, id: "2" };
        assert.deepEqual((await changes.next()).value, inJournal);
        await changes.return?.();
      });

      test("several readers each see every change; one that lags gets one resync instead of a backlog", async () => {
        const stop = new AbortController();
        const [quick, slow] = [database.changes(stop.signal), database.changes(stop.signal)].map((each) =>
          each[Symbol.asyncIterator](),
        );
        assert.ok(quick && slow);
        await Promise.all([quick.next(), slow.next()]);
        let seen = 0;
        const reading = (async () => {
          for (; seen < 1_100; seen++) assert.equal((await quick.next()).value?.kind, "changed");
        })();
        for (let batch = 0; batch < 11; batch++) {
          const writes = Array.from({ length: 100 }, (_, index) =>
            create(journal, entry(`${batch}-${index}`)),
          );
          await database.commit(partition, writes, { signal });
          await delay(1);
        }
        await reading;
        assert.deepEqual((await slow.next()).value, { kind: "resync" });
        let backlog = 0;
        for (; backlog < 100; backlog++) {
          if (!(await Promise.race([slow.next(), delay(50, undefined)]))) break;
        }
        assert.ok(backlog < 100, `${backlog} changes waited after the resync`);
        stop.abort();
      });

      test("a document with a very long name becomes a resync, or is refused, and never an error later", async () => {
        const stop = new AbortController();
        const changes = database.changes(stop.signal)[Symbol.asyncIterator]();
        await changes.next();
        // The index accepts such a long value, because the value compresses well.
        const partitionKey = "p".repeat(8_000);
        const writing = database.commit(partitionKey, [create(journal, { ...entry("1"), partitionKey })], {
          signal,
        });
        if (kind.hasLongNames) {
          await writing;
          assert.deepEqual((await changes.next()).value, { kind: "resync" });
        } else {
          await assert.rejects(writing, { name: "InvalidWrite" });
          assert.equal(await journal.find(partitionKey, "1", signal), undefined);
        }
        stop.abort();
      });
    });

    describe("opening", () => {
      test("has a place for every collection of the service", async () => {
        const options = { driver: store.shared, definitions, keyring, logger: silentLogger, signal };
        await using service = await openDatabase(options);
        await service.ping(signal);
      });
    });

    if (!kind.hasTables) return;

    describe("tables", () => {
      let tables: TestTables;
      before(() => {
        assert.ok(store.tables, "rows can be reached");
        ({ tables } = store);
      });

      test("an error of the database does not carry the document", async () => {
        const failing = tables.sql("select $1::text || $2::bigint / 0", "the document", 1);
        await assert.rejects(failing, (error) => !inspect(error).includes("the document"));
      });

      test("the sweep deletes what is expired, in batches, and nothing else", async () => {
        await tables.sql(`insert into journal (partition_key, id, etag, body, updated_at, expires_at)
          select 'p', g::text, g, '{}', now(), now() + make_interval(secs => case when g <= 2500 then -1 else 9 end)
          from generate_series(1, 2510) g`);
        assert.equal(await sweep(tables.connection, tableOf(testDefinitions.journal), signal), 2_500);
        assert.deepEqual(await tables.sql("select count(*)::text as left from journal"), [{ left: "10" }]);
      });

      test("what ended operations and administrators' actions leave is swept seven days after its last write", async () => {
        const options = { driver: store.shared, definitions, keyring, logger: silentLogger, signal };
        await using service = await openDatabase(options);
        const { operations, journal, adminActions } = service.collections;
        const openShiftClusterKey = resourceKey("/subscriptions/s/resourceGroups/g/providers/p/t/c");
        const key = { id: "1", partitionKey: partition, openShiftClusterKey };
        const ended = { startTime: "2026-01-01T00:00:00Z", endTime: "2026-01-01T01:00:00Z" };
        const asyncOperation = { id: "1", name: "1", status: "Succeeded", ...ended } as const;
        const step = {
          operationId: "1",
          step: "a",
          state: "finished",
          attempt: 1,
          worker: "w",
          generation: 1,
        } as const;
        const action = {
          newestFirst: 0,
          action: "exec",
          requestId: "1",
          parameters: {},
          resumable: false,
        } as const;
        const writes = [
          create(operations, { ...key, asyncOperation }),
          create(journal, { ...key, ...step, startedAt: ended.startTime }),
          create(adminActions, { ...key, ...action, state: "Succeeded", startedAt: ended.startTime }),
        ];
        assert.equal((await service.commit(partition, writes, { signal })).kind, "committed");
        for (const { definition } of [operations, journal, adminActions]) {
          const hours = "round(extract(epoch from expires_at - now()) / 3600)::text as hours";
          const rows = await tables.sql(`select ${hours} from ${definition.name} where id = '1'`);
          assert.deepEqual(rows, [{ hours: "168" }], definition.name);
          await tables.sql(`update ${definition.name} set expires_at = now() where id = '1'`);
        }
        for (const table of [
          tableOf(definitions.operations),
          tableOf(definitions.journal),
          tableOf(definitions.adminActions),
        ])
          assert.equal(await sweep(tables.connection, table, signal), 1, table.name);
      });

      test("are migrated once", async () => {
        assert.deepEqual(await migrate(tables.connection, await readMigrations(), { signal }), []);
        const rows = await tables.sql("select count(*)::text as count from schema_migrations");
        assert.equal(Number(rows[0]?.count), (await readMigrations()).length);
      });

      test("a migration that fails leaves nothing of itself behind", async () => {
        const sql = "create table half_done (a int); select 1 / 0;";
        const broken = migration({ version: 900, breaking: true, sql });
        await assert.rejects(migrate(tables.connection, [...(await readMigrations()), broken], { signal }));
        const rows = await tables.sql("select to_regclass('half_done')::text as made");
        assert.deepEqual(rows, [{ made: null }]);
        await migrate(tables.connection, await readMigrations(), { signal });
      });

      test("unknown migrations stop an older program only when they are breaking", async () => {
        const known = await readMigrations();
        const harmless = migration({ version: 901 });
        const breaking = migration({ version: 902, breaking: true });
        const run = (...migrations: Migration[]) =>
          migrate(tables.connection, [...known, ...migrations], { signal });
        try {
          assert.deepEqual(await run(harmless), [901]);
          assert.deepEqual(await run(), []);
          assert.deepEqual(await run(harmless, breaking), [902]);
          await assert.rejects(run(), { name: "SchemaAhead" });
        } finally {
          await tables.sql("delete from schema_migrations where version > 900");
        }
      });

      test("a definition that no migration made is refused by name", async () => {
        const things = { ...testDefinitions.journal, name: "things" };
        await assert.rejects(
          openDatabase({
            driver: store.shared,
            definitions: { things },
            keyring,
            logger: silentLogger,
            signal,
          }),
          { name: "SchemaMismatch", message: /things\.partition_key/ },
        );
      });
    });
  });
}

function migration(options: Partial<Migration>): Migration {
  return { version: 900, breaking: false, transaction: "single", sql: "select 1", ...options };
}
