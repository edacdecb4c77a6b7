import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, beforeEach, describe, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { inspect } from "node:util";
import { createLogger, silentLogger } from "@keelson/base";
import { ManualClock } from "@keelson/base/testing";
import { create, remove, replace } from "../documents/database.ts";
import { openDatabase } from "../open.ts";
import { startTestCosmos, type TestCosmos, testCosmosDriver } from "../testing/cosmos-store.ts";
import { type TestDatabase, testCluster, testDefinitions, testKeyring } from "../testing/test-documents.ts";
import type { cosmosDriver } from "./driver.ts";
import { openCosmos } from "./open-cosmos.ts";

const signal = AbortSignal.timeout(900_000);
const keyring = testKeyring();
const partition = "subscription";
const ttlMs = 60_000;

const open = (driver: ReturnType<typeof cosmosDriver>, logger = silentLogger) =>
  openDatabase({ driver, definitions: testDefinitions, keyring, logger, signal });

const entry = (id: string) => ({ id, partitionKey: partition, operationId: "operation" });

async function stored(database: TestDatabase, overrides: Parameters<typeof testCluster>[0] = {}) {
  const { clusters } = database.collections;
  const document = testCluster(overrides);
  const result = await database.commit(document.partitionKey, [create(clusters, document)], { signal });
  assert.ok(result.kind === "committed");
  return { document, etag: result.etags[0] ?? "" };
}

describe("two processes", () => {
  let account: TestCosmos;
  let one: TestDatabase;
  let other: TestDatabase;
  const name = randomUUID();
  before(async () => {
    account = await startTestCosmos();
    // Opens both stores concurrently, like the processes of a new deployment.
    [one, other] = await Promise.all([
      open(testCosmosDriver(account, name)),
      open(testCosmosDriver(account, name)),
    ]);
  });
  beforeEach(() => {
    account.injectFaults(undefined);
    account.editItems((item) => (item.kind === "layout" ? item : undefined));
  });
  after(async () => {
    await Promise.all([one[Symbol.asyncDispose](), other[Symbol.asyncDispose]()]);
    await account[Symbol.asyncDispose]();
  });

  test("receive each other's changes, each once: writes, released documents, removals", async () => {
    const stop = new AbortController();
    const feeds = [one, other].map((each) => each.changes(stop.signal)[Symbol.asyncIterator]());
    const next = (): Promise<unknown[]> => Promise.all(feeds.map(async (feed) => (await feed.next()).value));
    assert.deepEqual(await next(), [{ kind: "resync" }, { kind: "resync" }]);
    const changed = (collection: string, id: string) => {
      const change = { kind: "changed", collection, partitionKey: partition, id };
      return [change, change];
    };
    const { document } = await stored(one, { busy: true });
    assert.deepEqual(await next(), changed("openshift_clusters", document.id));
    const clusters = other.collections.clusters;
    const [leased] = await clusters.acquire({ owner: "a", ttlMs, limit: 1, signal });
    assert.ok(leased);
    await clusters.renew(leased.lease, ttlMs, signal);
    await clusters.release(leased.lease, { backoffMs: 0, signal });
    assert.deepEqual(await next(), changed("openshift_clusters", document.id), "neither lease nor renewal");
    await other.commit(partition, [remove(clusters, leased)], { signal });
    assert.deepEqual(await next(), changed("openshift_clusters", document.id));
    await one.commit(partition, [create(one.collections.journal, entry("1"))], { signal });
    assert.deepEqual(await next(), changed("journal", "1"));
    stop.abort();
  });

  test("lease the documents of one queue, each once", async () => {
    for (let index = 0; index < 20; index++) await stored(index % 2 ? one : other, { busy: true });
    const taken = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        (index % 2 ? one : other).collections.clusters.acquire({
          owner: `worker-${index}`,
          ttlMs,
          limit: 3,
          signal,
        }),
      ),
    );
    const ids = taken.flat().map(({ document }) => document.id);
    assert.equal(ids.length, 20);
    assert.equal(new Set(ids).size, 20);
    assert.deepEqual(await one.collections.clusters.queueLength(signal), { begun: 0, fresh: 0 });
  });

  test("a disconnected worker changes nothing once a different worker has its document", async () => {
    await stored(one, { busy: true });
    const [zombie] = await one.collections.clusters.acquire({ owner: "zombie", ttlMs: 1, limit: 1, signal });
    assert.ok(zombie);
    await delay(20);
    const [heir] = await other.collections.clusters.acquire({ owner: "heir", ttlMs, limit: 1, signal });
    assert.ok(heir && heir.lease.generation > zombie.lease.generation);
    const write = replace(one.collections.clusters, zombie, { ...zombie.document, version: 9 });
    const late = await one.commit(partition, [write], { lease: zombie.lease, signal });
    assert.deepEqual(late, { kind: "lease-lost" });
    const mine = replace(other.collections.clusters, heir, { ...heir.document, version: 2 });
    assert.equal((await other.commit(partition, [mine], { lease: heir.lease, signal })).kind, "committed");
  });

  test("a take-over between the read of a lease and the commit is detected by the commit", async () => {
    await stored(one, { busy: true });
    const [zombie] = await one.collections.clusters.acquire({ owner: "zombie", ttlMs, limit: 1, signal });
    assert.ok(zombie);
    const takeOver = Promise.withResolvers<void>();
    const arrived = Promise.withResolvers<void>();
    account.injectFaults(({ isBatch }) => {
      if (!isBatch) return undefined;
      account.injectFaults(undefined);
      arrived.resolve();
      return { kind: "held", until: takeOver.promise };
    });
    const write = replace(one.collections.clusters, zombie, { ...zombie.document, version: 9 });
    const slow = one.commit(partition, [write, create(one.collections.journal, entry("1"))], {
      lease: zombie.lease,
      signal,
    });
    await arrived.promise;
    account.editItems((item) => (Number(item.leaseExpires) > 0 ? { ...item, leaseExpires: 1 } : item));
    assert.equal(
      (await other.collections.clusters.acquire({ owner: "heir", ttlMs, limit: 1, signal })).length,
      1,
    );
    takeOver.resolve();
    assert.deepEqual(await slow, { kind: "lease-lost" });
    assert.equal(await one.collections.journal.find(partition, "1", signal), undefined);
  });

  test("a commit with a lost connection is StoreUnavailable, and is stored completely or not at all", async () => {
    for (const when of ["before", "after"] as const) {
      const document = testCluster();
      account.injectFaults(({ isBatch }) => (isBatch ? { kind: "cut", when } : undefined));
      const writes = [
        create(one.collections.clusters, document),
        create(one.collections.journal, entry(when)),
      ];
      const failing = one.commit(partition, writes, { signal });
      await assert.rejects(failing, (error) => {
        assert.ok(error instanceof Error && error.name === "StoreUnavailable");
        return !inspect(error, { depth: 9, showHidden: true }).includes(document.id);
      });
      account.injectFaults(undefined);
      const found = [
        await other.collections.clusters.find(partition, document.id, signal),
        await other.collections.journal.find(partition, when, signal),
      ];
      assert.deepEqual(
        found.map((each) => each !== undefined),
        when === "after" ? [true, true] : [false, false],
      );
    }
  });

  test("an interrupted feed continues at its position, or sends a resync", async () => {
    const stop = new AbortController();
    const feed = one.changes(stop.signal)[Symbol.asyncIterator]();
    await feed.next();
    let broken = 0;
    account.injectFaults(({ method, path }) =>
      method === "GET" && path.endsWith("/docs") && ++broken ? { kind: "unavailable" } : undefined,
    );
    while (broken < 2) await delay(5);
    account.injectFaults(undefined);
    const { document } = await stored(other);
    for (;;) {
      const { value: heard } = await feed.next();
      // Skips late changes that belong to earlier writes.
      if (heard?.kind === "resync" || heard?.id === document.id) break;
    }
    stop.abort();
  });

  test("a feed begins also where something changes all the time", async () => {
    await stored(other);
    let stirred = 0;
    account.injectFaults(({ method, path }) => {
      if (method === "GET" && path.endsWith("/docs") && stirred++ < 1_000) {
        account.editItems((item) => (item.kind === "document" ? { ...item } : item));
      }
      return undefined;
    });
    await using late = await open(testCosmosDriver(account, name));
    const feed = late.changes(signal)[Symbol.asyncIterator]();
    assert.equal((await feed.next()).value?.kind, "resync");
    assert.equal((await feed.next()).value?.kind, "changed");
    assert.ok(stirred < 1_000);
  });

  test("throttled requests are sent again, and each takes effect exactly once", async () => {
    let count = 0;
    account.injectFaults(({ method, path }) => {
      const isFeed = method === "GET" && path.endsWith("/docs");
      return isFeed || count++ % 3 === 0 ? undefined : { kind: "throttled", retryAfterMs: 1 };
    });
    const first = await stored(one, { busy: true, clientIdKey: "c" });
    const { clusters } = one.collections;
    const [leased] = await clusters.acquire({ owner: "a", ttlMs, limit: 1, signal });
    assert.ok(leased);
    const write = replace(clusters, first, { ...first.document, busy: false });
    const options = { lease: leased.lease, release: true, signal };
    assert.equal((await one.commit(partition, [write], options)).kind, "committed");
    assert.equal((await clusters.list({ limit: 10 }, signal)).items.length, 1);
    assert.ok(count > 20);
  });

  test("a minute with refused requests is reported, with what it cost; reservations are swept in it", async () => {
    const clock = new ManualClock(new Date());
    const lines: Record<string, unknown>[] = [];
    const logger = createLogger({
      level: "warn",
      destination: { write: (line) => void lines.push(JSON.parse(line)) },
    });
    const address = { endpoint: account.url, databaseName: randomUUID(), credential: account.key };
    const store = { definitions: testDefinitions, keyring, logger, signal };
    // With the default time limit, the probe would time out before its response arrives, because the test advances the clock.
    const writeProbe = { everyMs: 3_600_000, limitMs: 3_600_000 };
    await using database = await openCosmos({ ...address, writeProbe }, store, clock);
    await database.firstProbe();
    let count = 0;
    account.injectFaults(({ path }) =>
      path.includes(address.databaseName) && count++ === 0
        ? { kind: "throttled", retryAfterMs: 1 }
        : undefined,
    );
    await database.ping(signal);
    await clock.advance(60_000);
    const [line] = lines;
    assert.deepEqual([lines.length, line?.level, line?.throttled], [1, "warn", 1]);
    assert.ok(Number(line?.requests) > 1 && Number(line?.requestUnits) > 1);
  });

  test("a rate that stays too high is StoreUnavailable", async () => {
    account.injectFaults(() => ({ kind: "throttled", retryAfterMs: 1 }));
    await assert.rejects(one.ping(signal), {
      name: "StoreUnavailable",
      message: /429 Request rate is large/,
    });
  });

  test("commits that Cosmos DB cannot do are refused before or by it, by name", async () => {
    const { journal } = one.collections;
    const many = Array.from({ length: 101 }, (_, index) => create(journal, entry(String(index))));
    await assert.rejects(one.commit(partition, many, { signal }), {
      name: "InvalidWrite",
      message: /The limit is 100/,
    });
    const large = create(journal, { ...entry("1"), operationId: "x".repeat(2 ** 20) });
    await assert.rejects(one.commit(partition, [large], { signal }), {
      name: "InvalidWrite",
      message: /2 MB/,
    });
    assert.deepEqual((await journal.list({ limit: 5 }, signal)).items, []);
  });

  test("a document that expired under its lease leaves the queue", async () => {
    await stored(one, { busy: true, id: "gone" });
    await stored(one, { busy: true, id: "there" });
    account.editItems((item) => (item.kind === "document" && item.documentId === "gone" ? undefined : item));
    const [leased, second] = await one.collections.clusters.acquire({ owner: "a", ttlMs, limit: 2, signal });
    assert.deepEqual([leased?.document.id, second], ["there", undefined]);
    assert.deepEqual(await one.collections.clusters.queueLength(signal), { begun: 0, fresh: 0 });
    await stored(one, { busy: true, id: "gone" });
    assert.deepEqual(await one.collections.clusters.queueLength(signal), { begun: 0, fresh: 1 });
  });
});

describe("partitions that are split", () => {
  test("lose no change, no document and no place in the queue", async () => {
    await using account = await startTestCosmos();
    const name = randomUUID();
    await using one = await open(testCosmosDriver(account, name));
    await using other = await open(testCosmosDriver(account, name));
    const stop = new AbortController();
    const feed = one.changes(stop.signal)[Symbol.asyncIterator]();
    await feed.next();
    const ids: string[] = [];
    for (let index = 0; index < 9; index++) {
      if (index % 3 === 1) account.splitPartitions();
      const { document } = await stored(other, { busy: true, partitionKey: `p${index}` });
      ids.push(document.id);
    }
    const heard = new Set<string>();
    while (!ids.every((id) => heard.has(id))) {
      const { value: change } = await feed.next();
      assert.equal(change?.kind, "changed", "nothing may have been missed");
      if (change?.kind === "changed") heard.add(change.id);
    }
    stop.abort();
    const { clusters } = one.collections;
    const taken = await clusters.acquire({ owner: "a", ttlMs, limit: 9, signal });
    assert.deepEqual(
      taken.map(({ document }) => document.id),
      ids,
    );
    assert.equal((await clusters.list({ limit: 20 }, signal)).items.length, 9);
  });

  test("are found by queries that knew those before", async () => {
    await using account = await startTestCosmos();
    // This store has no subscribers, because the change feed of a subscriber would detect the new partitions.
    await using quiet = await open(testCosmosDriver(account));
    const { clusters } = quiet.collections;
    for (let round = 1; round <= 3; round++) {
      await stored(quiet, { busy: true, partitionKey: `p${round}` });
      assert.deepEqual(await clusters.queueLength(signal), { begun: 0, fresh: 1 });
      account.splitPartitions();
      const [counted, listed, leased] = await Promise.all([
        clusters.queueLength(signal),
        clusters.list({ limit: 10 }, signal),
        clusters.acquire({ owner: "a", ttlMs, limit: 1, signal }),
      ]);
      assert.ok(counted.fresh <= 1);
      assert.deepEqual([listed.items.length, leased.length], [round, 1]);
    }
  });
});
