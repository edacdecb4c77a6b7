import assert from "node:assert/strict";
import { isNotFound } from "@keelson/azure";
import { silentLogger, systemClock } from "@keelson/base";
import {
  newCluster,
  openStore,
  operationEnd,
  putCluster,
  putSubscription,
  type QueuedCluster,
  readCluster,
  startWorld,
  type World,
} from "@keelson/cluster/testing";
import type { JournalDocument, ServiceDatabase } from "@keelson/model";
import { startBackend } from "../backend.ts";
import { crashableProcess } from "./crashable-process.ts";

const signal = AbortSignal.timeout(900_000);
const longestLifeMs = 900;

/** Faults for seven percent of the requests to Azure. */
const temporaryFaults = {
  unavailable: { kind: "server-error", status: 503, percent: 3 },
  throttled: { kind: "throttled", percent: 3 },
  dropped: { kind: "dropped", percent: 1 },
} as const;

/**
 * Installs and deletes a cluster while Azure's responses fail temporarily. The backend crashes repeatedly at random times and
 * drains once during the installation. Asserts that both operations succeed and that finished steps do not run again.
 */
export async function survivesCrashes(installCrashes: number, deletionCrashes: number): Promise<void> {
  await using world = await startWorld();
  await using database = await openStore();
  await putSubscription(database, world.subscriptionId);
  const cluster = await demo(world);
  world.simulatedAzure.change({ faultSeed: 1, faults: temporaryFaults });
  let queued = await putCluster(database, cluster);
  const finished = new Map<string, JournalDocument>();
  const compare = async () => {
    const entries = await journalOf(database, queued);
    for (const [step, entry] of finished) {
      assert.deepEqual(entries.get(step), entry, `${step} was touched after it had finished`);
    }
    for (const [step, entry] of entries) if (entry.state === "finished") finished.set(step, entry);
  };
  for (let life = 1; life <= installCrashes; life++) {
    const process = crashableProcess(database, world.environment);
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
  const last = await startBackend({ ...options, database, environment: world.environment, owner: "last" });
  const { asyncOperation } = await operationEnd(database, queued);
  assert.equal(asyncOperation.error, undefined);
  assert.equal(asyncOperation.status, "Succeeded");
  await compare();
  const states = [...(await journalOf(database, queued)).values()].map(({ state }) => state);
  assert.deepEqual(new Set(states), new Set(["finished"]));
  await last.drain(signal);
  const injected = world.simulatedAzure.faults().reduce((sum, fault) => sum + fault.injected, 0);
  assert.ok(injected > 0);
  world.simulatedAzure.change({ faults: null });
  assert.deepEqual(
    await countOfEach(world, ["virtualMachines", "networkInterfaces", "loadBalancers"]),
    [6, 6, 2],
  );
  // Two public addresses: one for the API server, which is also used for egress, and one for the router.
  assert.deepEqual(await countOfEach(world, ["publicIPAddresses", "networkSecurityGroups"]), [2, 1]);

  const installed = await readCluster(database, cluster.id);
  assert.ok(installed);
  finished.clear();
  world.simulatedAzure.change({ faults: temporaryFaults });
  const deleting = { ...installed.properties, provisioningState: "Deleting" } as const;
  queued = await putCluster(database, { ...installed, properties: deleting });
  for (let life = 1; life <= deletionCrashes; life++) {
    const process = crashableProcess(database, world.environment);
    const backend = await startBackend({ ...options, ...process, owner: `deleting-${life}` });
    await systemClock.sleep(50 + Math.random() * 300, signal);
    process.cut();
    await backend.drain(AbortSignal.abort());
    await compare();
  }
  await using _end = await startBackend({
    ...options,
    database,
    environment: world.environment,
    owner: "end",
  });
  const deletion = await operationEnd(database, queued);
  assert.equal(deletion.asyncOperation.error, undefined);
  assert.equal(deletion.asyncOperation.status, "Succeeded");
  assert.equal(await readCluster(database, cluster.id), undefined);
  world.simulatedAzure.change({ faults: null });
  const { resourceGroups } = world.azure.resources;
  await assert.rejects(resourceGroups.get(managedGroup, world.azure.call(signal)), isNotFound);
}

const managedGroup = "aro-demo";

/** Returns the number of resources of each type that belong to the cluster. */
async function countOfEach({ azure }: World, types: readonly string[]): Promise<readonly number[]> {
  const found: string[] = [];
  for await (const { type = "" } of azure.resources.resources.listByResourceGroup(
    managedGroup,
    azure.call(signal),
  ))
    found.push(type.split("/").slice(1).join("/").toLowerCase());
  return types.map((type) => found.filter((each) => each === type.toLowerCase()).length);
}

/** Options with which a backend quickly detects that a different backend has crashed. */
export const options = {
  clock: systemClock,
  logger: silentLogger,
  leaseMs: 600,
  heartbeatMs: 100,
  drainMs: 10_000,
  // Higher than the default: several steps can crash the worker before the first step finishes, and on a busy machine the short
  // lease expires during a step.
  maxAttempts: 50,
};

export async function demo(world: World) {
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
