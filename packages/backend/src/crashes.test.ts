import assert from "node:assert/strict";
import { test } from "node:test";
import { silentLogger, systemClock } from "@keelson/base";
import {
  newCluster,
  openStore,
  operationEnd,
  putCluster,
  putSubscription,
  type QueuedCluster,
  startWorld,
  type World,
} from "@keelson/cluster/testing";
import type { JournalDocument, ServiceDatabase } from "@keelson/model";
import { startBackend } from "./backend.ts";
import { severable } from "./testing/severable.ts";

const signal = AbortSignal.timeout(300_000);
const crashes = 8;
const longestLifeMs = 900;

test(`an install that dies ${crashes} times at random moments, and drains once, succeeds`, {
  timeout: 180_000,
}, async () => {
  await using world = await startWorld();
  await using database = await openStore();
  await putSubscription(database, world.subscriptionId);
  const queued = await putCluster(database, await demo(world));
  const finished = new Map<string, JournalDocument>();
  const compare = async () => {
    const entries = await journalOf(database, queued);
    for (const [step, entry] of finished) {
      assert.deepEqual(entries.get(step), entry, `${step} was touched after it had finished`);
    }
    for (const [step, entry] of entries) if (entry.state === "finished") finished.set(step, entry);
  };
  for (let life = 1; life <= crashes; life++) {
    const process = severable(database, world.environment);
    const backend = await startBackend({ ...options, ...process, owner: `life-${life}` });
    await systemClock.sleep(Math.random() * longestLifeMs, signal);
    process.cut();
    await backend.drain(AbortSignal.abort());
    await compare();
  }
  const drained = await startBackend({
    ...options,
    database,
    environment: world.environment,
    owner: "drained",
  });
  await systemClock.sleep(600, signal);
  await drained.drain(signal);
  await compare();
  await using _last = await startBackend({
    ...options,
    database,
    environment: world.environment,
    owner: "last",
  });
  const { asyncOperation } = await operationEnd(database, queued);
  assert.equal(asyncOperation.error, undefined);
  assert.equal(asyncOperation.status, "Succeeded");
  await compare();
  assert.ok([...finished.values()].every(({ state }) => state === "finished"));
});

const options = {
  clock: systemClock,
  logger: silentLogger,
  leaseMs: 600,
  heartbeatMs: 100,
  drainMs: 10_000,
  maxAttempts: 50,
};

async function demo(world: World) {
  const [principal] = world.clusterPrincipals;
  assert.ok(principal);
  return newCluster({
    name: "demo",
    subscriptionId: world.subscriptionId,
    principal,
    masterSubnetId: await world.subnet("master", "10.0.0.0/24"),
    workerSubnetId: await world.subnet("worker", "10.0.1.0/24"),
  });
}

async function journalOf(
  database: ServiceDatabase,
  { partitionKey, operationId }: QueuedCluster,
): Promise<Map<string, JournalDocument>> {
  const query = { partitionKey, where: { operationId }, limit: 200 };
  const { items } = await database.collections.journal.list(query, signal);
  return new Map(items.map(({ document }) => [document.step, document]));
}
