import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { CloudError } from "@keelson/arm";
import { Metrics, silentLogger, systemClock } from "@keelson/base";
import {
  newCluster,
  openStore,
  operationEnd,
  putCluster,
  putSubscription,
  startWorld,
} from "@keelson/cluster/testing";
import type { ServiceDatabase } from "@keelson/model";
import { startBackend } from "./backend.ts";

/**
 * Returns a database that records the subscription of each acquired cluster, with the record. Operations start only after `begin`
 * resolves.
 */
function watched(database: ServiceDatabase, begin: Promise<void>) {
  const order: string[] = [];
  const counts = { running: 0, most: 0 };
  const { clusters, subscriptions } = database.collections;
  const watching: ServiceDatabase = {
    ...database,
    collections: {
      ...database.collections,
      clusters: {
        ...clusters,
        async acquire(options) {
          const all = await clusters.acquire(options);
          order.push(...all.map(({ document }) => document.partitionKey));
          return all;
        },
      },
      subscriptions: {
        ...subscriptions,
        async find(...args) {
          counts.most = Math.max(counts.most, ++counts.running);
          await begin;
          counts.running--;
          return subscriptions.find(...args);
        },
      },
    },
  };
  return { database: watching, order, counts };
}

test("operations of a busy subscription run concurrently with those of others, up to its limit", async () => {
  await using world = await startWorld();
  await using database = await openStore();
  const greedy = world.subscriptionId;
  const modest = randomUUID();
  for (const id of [greedy, modest]) await putSubscription(database, id);
  const environment = {
    ...world.environment,
    connectAzureAs(): never {
      throw new CloudError("InvalidServicePrincipalPermissions", "refused");
    },
  };
  const queue = (subscriptionId: string, index: number) =>
    putCluster(database, newCluster({ name: `cluster-${index}`, subscriptionId }));
  const ofGreedy = [];
  for (let index = 0; index < 8; index++) ofGreedy.push(await queue(greedy, index));
  const begin = Promise.withResolvers<void>();
  const { database: watching, order, counts } = watched(database, begin.promise);
  const metrics = new Metrics();
  await using _ = await startBackend({
    database: watching,
    environment,
    workers: 4,
    runningPerSubscription: 3,
    clock: systemClock,
    logger: silentLogger,
    metrics,
  });
  const until = async (condition: () => boolean) => {
    while (!condition()) await systemClock.sleep(5, AbortSignal.timeout(60_000));
  };
  await until(() => counts.running === 3);
  const single = await queue(modest, 100);
  await until(() => counts.running === 4);
  assert.deepEqual(order, [greedy, greedy, greedy, modest]);
  begin.resolve();
  for (const queued of [...ofGreedy, single]) await operationEnd(database, queued);
  assert.equal(counts.most, 4);
  assert.equal(order.length, 9);
  const { body } = await metrics.expose();
  assert.match(body, /backend_queue_wait_seconds_count\{provisioningState="Creating"\} 9/);
});
