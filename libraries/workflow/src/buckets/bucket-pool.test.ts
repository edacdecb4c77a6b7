import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import { silentLogger } from "@keelson/base";
import { ManualClock } from "@keelson/base/testing";
import { create, remove } from "@keelson/database";
import fc from "fast-check";
import type { OrderDatabase } from "../testing/documents.ts";
import { openStore, signal } from "../testing/store.ts";
import { bucketCount } from "./balance.ts";
import { BucketPool, type BucketPoolOptions } from "./bucket-pool.ts";

let database: OrderDatabase;
before(async () => {
  database = await openStore();
});
after(() => database[Symbol.asyncDispose]());

const clock = new ManualClock();
function poolOf(workerType: string, options: Partial<BucketPoolOptions> = {}) {
  const workerId = randomUUID();
  const pool = new BucketPool({ database, workerType, workerId, clock, logger: silentLogger, ...options });
  return { pool, workerId };
}

async function refresh(pools: readonly { readonly pool: BucketPool }[]): Promise<void> {
  for (const { pool } of pools) await pool.refresh(signal);
}

/** Simulates the expiry of a stopped worker's heartbeat document. */
async function expire(workerType: string, workerId: string): Promise<void> {
  const { poolWorkers } = database.collections;
  const stored = await poolWorkers.find(workerType, workerId, signal);
  if (stored) await database.commit(workerType, [remove(poolWorkers, stored)], { signal });
}

test("workers share the buckets; those of a dead one go to the others, and theirs stay", async () => {
  const type = "sharing";
  const pools = [poolOf(type), poolOf(type), poolOf(type)];
  await refresh(pools);
  await refresh(pools);
  const owned = pools.map(({ pool }) => pool.buckets);
  assert.ok(owned.every(({ size }) => size >= 84 && size <= 86));
  assert.equal(new Set(owned.flatMap((each) => [...each])).size, bucketCount);
  const [dead, ...others] = pools;
  assert.ok(dead);
  await expire(type, dead.workerId);
  await refresh(others);
  await refresh(others);
  for (const [index, { pool }] of others.entries()) {
    assert.equal(pool.buckets.size, 128);
    assert.ok((owned[index + 1] ?? new Set()).isSubsetOf(pool.buckets));
  }
});

test("kinds of workers share nothing with each other", async () => {
  const first = poolOf("monitor");
  const second = poolOf("scheduler");
  await refresh([first, second]);
  assert.equal(first.pool.buckets.size, bucketCount);
  assert.equal(second.pool.buckets.size, bucketCount);
});

test("workers that start at the same time agree", async () => {
  const pools = Array.from({ length: 4 }, () => poolOf("rush"));
  await Promise.allSettled(pools.map(({ pool }) => pool.refresh(signal)));
  await refresh(pools);
  await refresh(pools);
  const all = pools.flatMap(({ pool }) => [...pool.buckets]);
  assert.equal(all.length, bucketCount);
  assert.equal(new Set(all).size, bucketCount);
});

test("a worker keeps its buckets through a database that fails for less than its lease, and loses them with it", async () => {
  const changes: number[] = [];
  const ownClock = new ManualClock();
  const { pool } = poolOf("lonely", { clock: ownClock, onChange: ({ size }) => changes.push(size) });
  const fails = () => assert.rejects(pool.refresh(AbortSignal.abort(new Error("no database"))));
  await pool.refresh(signal);
  for (const waitedMs of [10_000, 20_000, 29_000]) {
    await ownClock.advance(waitedMs);
    await fails();
    assert.equal(pool.buckets.size, bucketCount);
  }
  await ownClock.advance(1_000);
  assert.equal(pool.buckets.size, 0);
  await fails();
  assert.deepEqual(changes, [bucketCount, 0]);
  await pool.refresh(signal);
  await ownClock.advance(59_000);
  assert.deepEqual([pool.buckets.size, changes], [bucketCount, [bucketCount, 0, bucketCount]]);
});

test("a lease may be shorter, and is what the worker's document lives", async () => {
  const ownClock = new ManualClock();
  const { pool, workerId } = poolOf("short", { clock: ownClock, leaseMs: 2_000 });
  await pool.refresh(signal);
  await ownClock.advance(1_999);
  assert.equal(pool.buckets.size, bucketCount);
  await ownClock.advance(1);
  assert.equal(pool.buckets.size, 0);
  const stored = await database.collections.poolWorkers.find("short", workerId, signal);
  assert.equal(stored?.document.ttlSeconds, 2);
});

test("a moving bucket has no owner until its previous owner has read the allocation", async () => {
  const [first, second] = [poolOf("moving"), poolOf("moving")];
  await refresh([first, second]);
  assert.deepEqual([first.pool.buckets.size, second.pool.buckets.size], [bucketCount, 0]);
  await refresh([second]);
  assert.equal(second.pool.buckets.size, 0);
  await refresh([first, second]);
  assert.deepEqual([first.pool.buckets.size, second.pool.buckets.size], [128, 128]);
});

test("workers of versions that know no handovers are not waited for", async () => {
  const type = "mixed";
  const { poolWorkers, bucketAllocations } = database.collections;
  const old = { id: randomUUID(), partitionKey: type };
  const buckets = Array.from({ length: bucketCount }, () => old.id);
  const allocation = { id: type, partitionKey: type, buckets };
  await database.commit(
    type,
    [create(poolWorkers, { ...old, ttlSeconds: 60 }), create(bucketAllocations, allocation)],
    {
      signal,
    },
  );
  const newer = poolOf(type);
  await refresh([newer]);
  assert.equal(newer.pool.buckets.size, 128);
});

type Step = readonly [worker: number, what: "tick" | "fall silent" | "leave" | "lose the database"];

test("no bucket is ever owned by two, whichever worker ticks, falls silent, leaves or comes; in the end all are owned", async () => {
  let run = 0;
  const step = fc.tuple(
    fc.nat(2),
    fc.constantFrom<Step[1]>("tick", "tick", "tick", "fall silent", "leave", "lose the database"),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 16 }), async (steps) => {
      const type = `run-${run++}`;
      const join = () => {
        const ownClock = new ManualClock();
        return { ...poolOf(type, { clock: ownClock }), clock: ownClock };
      };
      const workers = [join(), join(), join()];
      const check = () => {
        const all = workers.flatMap(({ pool }) => [...pool.buckets]);
        assert.equal(new Set(all).size, all.length);
      };
      for (const [at, what] of steps) {
        const worker = workers[at];
        assert.ok(worker);
        if (what === "tick") await worker.pool.refresh(signal);
        else if (what === "lose the database")
          await worker.pool.refresh(AbortSignal.abort()).catch(() => undefined);
        else if (what === "leave") {
          await worker.pool[Symbol.asyncDispose]();
          workers[at] = join();
        } else {
          await worker.clock.advance(60_000);
          await expire(type, worker.workerId);
        }
        check();
      }
      for (let round = 0; round < 3; round++) await refresh(workers);
      check();
      assert.equal(workers.flatMap(({ pool }) => [...pool.buckets]).length, bucketCount);
    }),
    { numRuns: 25 },
  );
});

test("a worker that leaves hands its buckets over at once", async () => {
  const staying = poolOf("leaving");
  {
    await using leaving = poolOf("leaving").pool;
    await refresh([staying, { pool: leaving }, staying]);
    assert.equal(staying.pool.buckets.size, 128);
  }
  await refresh([staying]);
  assert.equal(staying.pool.buckets.size, bucketCount);
});
