import assert from "node:assert/strict";
import { test } from "node:test";
import { createLogger, systemClock } from "@keelson/base";
import { connectKube, resources } from "@keelson/kube";
import { startBackend } from "./backend.ts";
import { newCluster, openStore, operationEnd, putCluster, putSubscription } from "./testing/store.ts";
import { startWorld } from "./testing/world.ts";

const signal = AbortSignal.timeout(120_000);

test("a cluster is created, scaled and deleted", { timeout: 120_000 }, async () => {
  await using world = await startWorld();
  await using database = await openStore();
  await putSubscription(database, world.subscriptionId);
  const logger = createLogger({ level: process.env.LEVEL ?? "silent" });
  await using _backend = await startBackend({
    database,
    environment: world.environment,
    clock: systemClock,
    logger,
  });
  const [principal] = world.clusterPrincipals;
  assert.ok(principal);
  const cluster = newCluster({
    name: "demo",
    subscriptionId: world.subscriptionId,
    principal,
    masterSubnetId: await world.subnet("master", "10.0.0.0/24"),
    workerSubnetId: await world.subnet("worker", "10.0.1.0/24"),
  });
  const created = await putCluster(database, cluster);
  const end = await operationEnd(database, created);
  assert.equal(end.asyncOperation.error, undefined);
  assert.equal(end.asyncOperation.status, "Succeeded");
});
