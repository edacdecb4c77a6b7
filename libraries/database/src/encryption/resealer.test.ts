import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { Secret, silentLogger } from "@keelson/base";
import { ManualClock } from "@keelson/base/testing";
import { defineCollection } from "../documents/collection.ts";
import { create, type Database, replace } from "../documents/database.ts";
import { openDatabase } from "../open.ts";
import { freshMemoryDriver } from "../testing/memory-driver.ts";
import { openTestStore, type SqlTestStore } from "../testing/sql-store.ts";
import { testCluster, testDefinitions } from "../testing/test-documents.ts";
import { createKeyring, generateKey, type Keyring, type MutableKeyring } from "./keyring.ts";
import { type ResealDocument, Resealer } from "./resealer.ts";

const definitions = {
  ...testDefinitions,
  jobs: {
    ...defineCollection<ResealDocument>({ name: "background_jobs", keys: {}, unique: [], secretPaths: [] }),
    queued: () => false,
  },
};
const signal = AbortSignal.timeout(900_000);
const secret = "correct horse";
let store: SqlTestStore;
before(async () => {
  store = await openTestStore(await freshMemoryDriver());
});
after(() => store[Symbol.asyncDispose]());

interface World {
  readonly database: Database<typeof definitions>;
  readonly keyring: MutableKeyring;
  readonly counts: Map<string, number>;
  readonly clock: ManualClock;
  resealer(owner?: string, keys?: Keyring): Resealer;
  put(id: string, more?: { readonly busy: boolean }): Promise<void>;
  text(id: string): Promise<string | undefined>;
  /** Returns the key IDs in the stored documents. */
  keys(): Promise<readonly string[]>;
}

async function world(): Promise<World & AsyncDisposable> {
  await store.sql("truncate openshift_clusters, background_jobs");
  const keyring = createKeyring({ current: "k1", keys: { k1: generateKey() } });
  const open = (keys: Keyring) =>
    openDatabase({ driver: store.shared, definitions, keyring: keys, logger: silentLogger, signal });
  const database = await open(keyring);
  const { clusters, jobs } = database.collections;
  const counts = new Map<string, number>();
  const clock = new ManualClock();
  const common = { database, jobs, everyMs: 60_000, clock, logger: silentLogger };
  return {
    database,
    keyring,
    counts,
    clock,
    resealer: (owner = "one", keys = keyring) =>
      new Resealer({ ...common, keyring: keys, owner, outdated: (name, count) => counts.set(name, count) }),
    async put(id, more = { busy: false }) {
      const document = testCluster({ id, openShiftCluster: { sshKey: new Secret(secret) }, ...more });
      const write = create(clusters, document);
      assert.equal((await database.commit("subscription", [write], { signal })).kind, "committed");
    },
    async text(id) {
      const stored = await clusters.find("subscription", id, signal);
      return stored?.document.openShiftCluster?.sshKey?.reveal();
    },
    async keys() {
      const rows = await store.sql("select body::text as body from openshift_clusters order by id");
      return rows.map(({ body }) => /"keyId":"([^"]*)"/.exec(body ?? "")?.[1] ?? "");
    },
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  };
}

describe("after a rotation", () => {
  test("all idle documents are encrypted under the new key, and the old one can be removed", async () => {
    await using at = await world();
    const ids = Array.from({ length: 120 }, (_, index) => `d${index}`);
    for (const id of ids) await at.put(id);
    at.keyring.rotate("k0", generateKey());
    assert.equal(await at.database.collections.clusters.countOutdated(signal), 120);
    assert.deepEqual(await at.resealer().runOnce(signal), { resealed: 120, passedOver: 0, failed: 0 });
    assert.deepEqual(new Set(await at.keys()), new Set(["k0"]));
    assert.equal(at.counts.get("openshift_clusters"), 0);
    for (const id of ids.slice(0, 3)) assert.equal(await at.text(id), secret);
  });

  test("what is done is remembered for all processes; a new key, or an hour, starts it again", async () => {
    await using at = await world();
    await at.put("a");
    assert.deepEqual(await at.resealer().runOnce(signal), { resealed: 0, passedOver: 0, failed: 0 });
    assert.equal(await at.resealer("other").runOnce(signal), undefined);
    at.keyring.rotate("k2", generateKey());
    assert.deepEqual(await at.resealer("other").runOnce(signal), { resealed: 1, passedOver: 0, failed: 0 });
    assert.equal(await at.resealer().runOnce(signal), undefined);
    await at.clock.advance(3_600_000);
    assert.notEqual(await at.resealer().runOnce(signal), undefined);
  });

  test("one process at a time does it", async () => {
    await using at = await world();
    for (let index = 0; index < 60; index++) await at.put(`d${index}`);
    at.keyring.rotate("k2", generateKey());
    const results = await Promise.all(
      ["one", "two", "three"].map((owner) => at.resealer(owner).runOnce(signal)),
    );
    assert.deepEqual(
      results.filter((each) => each !== undefined && each.resealed > 0).map((each) => each?.resealed),
      [60],
    );
  });

  test("a leased document is skipped; the write of its worker encrypts it again", async () => {
    await using at = await world();
    await at.put("busy", { busy: true });
    const { clusters } = at.database.collections;
    const [leased] = await clusters.acquire({ owner: "worker", ttlMs: 60_000, limit: 1, signal });
    assert.ok(leased);
    at.keyring.rotate("k2", generateKey());
    assert.deepEqual(await at.resealer().runOnce(signal), { resealed: 0, passedOver: 1, failed: 0 });
    assert.deepEqual(await at.keys(), ["k1"]);
    const done = replace(clusters, leased, { ...leased.document, busy: false });
    const options = { lease: leased.lease, release: true, signal };
    assert.equal((await at.database.commit("subscription", [done], options)).kind, "committed");
    assert.deepEqual(await at.keys(), ["k2"]);
    assert.deepEqual(await at.resealer().runOnce(signal), { resealed: 0, passedOver: 0, failed: 0 });
  });

  test("a document with a missing key is unchanged, is counted, and does not block others", async () => {
    await using at = await world();
    await at.put("lost");
    const [before] = await store.sql("select etag::text as etag, body::text as body from openshift_clusters");
    at.keyring.rotate("k2", generateKey());
    await at.put("under-k2");
    at.keyring.rotate("k3", generateKey());
    const without: Keyring = {
      currentKeyId: () => "k3",
      key: (id) => (id === "k1" ? undefined : at.keyring.key(id)),
    };
    await using poorer = await openDatabase({
      driver: store.shared,
      definitions,
      keyring: without,
      logger: silentLogger,
      signal,
    });
    const resealer = new Resealer({
      database: poorer,
      jobs: poorer.collections.jobs,
      keyring: without,
      owner: "one",
      everyMs: 60_000,
      outdated: (name, count) => at.counts.set(name, count),
      clock: at.clock,
      logger: silentLogger,
    });
    assert.deepEqual(await resealer.runOnce(signal), { resealed: 1, passedOver: 0, failed: 1 });
    assert.equal(at.counts.get("openshift_clusters"), 1);
    const [after] = await store.sql(
      "select etag::text as etag, body::text as body from openshift_clusters where id = 'lost'",
    );
    assert.deepEqual(after, before);
    // When the key is available again, the job continues.
    assert.deepEqual(await at.resealer().runOnce(signal), { resealed: 1, passedOver: 0, failed: 0 });
  });
});

test("keys rotate under concurrent writers and readers: nothing is lost, nothing stays behind", async () => {
  await using at = await world();
  const { clusters } = at.database.collections;
  const ids = Array.from({ length: 12 }, (_, index) => `d${index}`);
  for (const id of ids) await at.put(id);
  const written = new Map<string, number>();
  let running = true;
  const write = async (id: string) => {
    for (let version = 1; running; version++) {
      const stored = await clusters.find("subscription", id, signal);
      assert.ok(stored);
      assert.equal(stored.document.openShiftCluster?.sshKey?.reveal(), secret);
      assert.equal(stored.document.version ?? 0, written.get(id) ?? 0, "no acknowledged write is lost");
      const next = { ...stored.document, version };
      const { kind } = await at.database.commit("subscription", [replace(clusters, stored, next)], {
        signal,
      });
      if (kind === "committed") written.set(id, version);
      else version--;
    }
  };
  const writers = ids.slice(0, 4).map(write);
  let resealed = 0;
  for (let round = 2; round < 6; round++) {
    at.keyring.rotate(`k${round}`, generateKey());
    resealed += (await at.resealer().runOnce(signal))?.resealed ?? 0;
  }
  running = false;
  await Promise.all(writers);
  await at.resealer().runOnce(signal);
  assert.ok(resealed >= 8 * 4);
  assert.deepEqual(new Set(await at.keys()), new Set(["k5"]));
  for (const [id, version] of written) {
    assert.equal((await clusters.find("subscription", id, signal))?.document.version, version);
  }
});
