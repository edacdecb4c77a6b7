import assert from "node:assert/strict";
import { once } from "node:events";
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

test("an install goes on wherever its worker dies after a change of the cluster's document", {
  timeout: 180_000,
}, async () => {
  await using world = await startWorld();
  await using database = await openStore();
  await putSubscription(database, world.subscriptionId);
  const queued = await putCluster(database, await demo(world));
  const clusters = database.collections.clusters.definition.name;
  const ended = operationEnd(database, queued);
  let written = "";
  let lives = 0;
  for (let isOver = false; !isOver; lives++) {
    const process = severable(database, world.environment, (writes) => {
      const write = writes.find(({ collection }) => collection === clusters);
      const before = written;
      written = write && write.kind !== "remove" ? JSON.stringify(write.document) : before;
      return written !== before;
    });
    // Steps that run side by side may each take a life before the first of them is journaled as finished.
    const backend = await startBackend({ ...options, ...process, maxAttempts: 12, owner: `life-${lives}` });
    const died = once(process.gone, "abort");
    isOver = (await Promise.race([died, ended.then(() => "over")])) === "over";
    await backend.drain(AbortSignal.abort());
  }
  const { asyncOperation } = await ended;
  assert.equal(asyncOperation.error, undefined);
  assert.equal(asyncOperation.status, "Succeeded");
  assert.ok(lives >= 10, `${lives} lives`);
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
