import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { openStore, operationEnd, putCluster, putSubscription, startWorld } from "@keelson/cluster/testing";
import type { Lease } from "@keelson/database";
import type { ServiceDatabase } from "@keelson/model";
import { startBackend } from "./backend.ts";
import { crashableProcess } from "./testing/crashable-process.ts";
import { demo, options, survivesCrashes } from "./testing/crashing-operations.ts";

const signal = AbortSignal.timeout(900_000);

// crashes.long-test.ts tests more crashes.
test(
  "while Azure fails temporarily, an install that dies 3 times at random moments and drains once succeeds; so does a deletion that dies",
  {
    timeout: 900_000,
  },
  () => survivesCrashes(3, 1),
);

test("an install resumes after the death of its worker at any change of the cluster's document and between its phases", {
  timeout: 900_000,
}, async () => {
  await using world = await startWorld();
  await using database = await openStore();
  await putSubscription(database, world.subscriptionId);
  const queued = await putCluster(database, await demo(world));
  const clusters = database.collections.clusters.definition.name;
  const ended = operationEnd(database, queued, 170_000);
  let written = "";
  let lives = 0;
  const handedOver: unknown[] = [];
  for (let isOver = false; !isOver; lives++) {
    const process = crashableProcess(database, world.environment, (writes) => {
      const write = writes.find(({ collection }) => collection === clusters);
      const before = written;
      written = write && "document" in write ? JSON.stringify(write.document) : before;
      return written !== before;
    });
    const dyingAtRelease = releasing(process.database, async ({ partitionKey, id }) => {
      const stored = await database.collections.clusters.find(partitionKey, id, signal);
      const { provisioningState, install } = stored?.document.openShiftCluster.properties ?? {};
      handedOver.push([provisioningState, install?.phase]);
      process.cut();
    });
    const backend = await startBackend({
      ...{ ...options, ...process, database: dyingAtRelease },
      owner: `life-${lives}`,
    });
    const died = once(process.gone, "abort");
    isOver = (await Promise.race([died, ended.then(() => "over")])) === "over";
    await backend.drain(AbortSignal.abort());
  }
  const { asyncOperation, openShiftCluster } = await ended;
  assert.equal(asyncOperation.error, undefined);
  assert.equal(asyncOperation.status, "Succeeded");
  assert.ok(lives >= 10, `${lives} lives`);
  assert.deepEqual(handedOver, [["Creating", "InstallPhaseRemoveBootstrap"]]);
  assert.ok(openShiftCluster && openShiftCluster.properties.install === undefined);
});

/** Returns a database that calls `released` after each release of a cluster by a worker. */
function releasing(database: ServiceDatabase, released: (lease: Lease) => Promise<void>): ServiceDatabase {
  const { clusters } = database.collections;
  const watched: typeof clusters = {
    ...clusters,
    async release(lease, how) {
      await clusters.release(lease, how);
      await released(lease);
    },
  };
  return { ...database, collections: { ...database.collections, clusters: watched } };
}
