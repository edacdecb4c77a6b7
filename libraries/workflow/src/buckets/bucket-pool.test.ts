import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import { silentLogger } from "@keelson/base";
import { ManualClock } from "@keelson/base/testing";
import { remove } from "@keelson/database";
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

/** What expiry does to a worker that is gone. */
async function expire(workerType: string, workerId: string): Promise<void> {
  const { poolWorkers } = database.collections;
  const stored = await poolWorkers.find(workerType, workerId, signal);
  assert.ok(stored);
  await database.commit(workerType, [remove(poolWorkers, stored)], { signal });
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

test("a worker whose sign of life fails, or is too old, owns nothing, and says so", async () => {
  const changes: number[] = [];
  const { pool } = poolOf("lonely", { onChange: ({ size }) => changes.push(size) });
  await pool.refresh(signal);
  await clock.advance(59_000);
  assert.equal(pool.buckets.size, bucketCount);
  await clock.advance(1_000);
  assert.equal(pool.buckets.size, 0);
  await pool.refresh(signal);
  assert.equal(pool.buckets.size, bucketCount);
  await assert.rejects(pool.refresh(AbortSignal.abort(new Error("no database"))));
  assert.equal(pool.buckets.size, 0);
  assert.deepEqual(changes, [bucketCount, 0, bucketCount, 0]);
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
