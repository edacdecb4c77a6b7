import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { CloudError, type ProvisioningState } from "@keelson/arm";
import { Metrics, silentLogger, systemClock } from "@keelson/base";
import { until } from "@keelson/base/testing/eventually";
import type { ClusterEnvironment } from "@keelson/cluster";
import {
  acquireCluster,
  newCluster,
  openStore,
  operationEnd,
  putCluster,
  putSubscription,
  readCluster,
  startWorld,
  type World,
} from "@keelson/cluster/testing";
import { errors, replace } from "@keelson/database";
import type { ServiceDatabase } from "@keelson/model";
import { type BackendOptions, startBackend } from "./backend.ts";

const signal = AbortSignal.timeout(900_000);

let world: World;
let database: ServiceDatabase;
before(async () => {
  world = await startWorld();
  database = await openStore();
  await putSubscription(database, world.subscriptionId);
});
after(async () => {
  await database[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
});

function start(environment: Partial<ClusterEnvironment> = {}, change: Partial<BackendOptions> = {}) {
  return startBackend({
    database,
    environment: { ...world.environment, ...environment },
    clock: systemClock,
    logger: silentLogger,
    ...change,
  });
}

/** Environment in which every operation that needs the cluster's credentials fails immediately. */
const refusing: Partial<ClusterEnvironment> = {
  connectAzureAs: () => {
    throw new CloudError("InvalidServicePrincipalPermissions", "refused");
  },
};

test("two backends share the queue, and every operation is run once, by one of them", async () => {
  const queued = await Promise.all(
    Array.from({ length: 30 }, (_, index) =>
      putCluster(database, newCluster({ name: `shared-${index}`, subscriptionId: world.subscriptionId })),
    ),
  );
  await using _a = await start(refusing, { owner: "a", workers: 4 });
  await using _b = await start(refusing, { owner: "b", workers: 4 });
  const ends = await Promise.all(queued.map((each) => operationEnd(database, each)));
  for (const { asyncOperation, openShiftCluster } of ends) {
    assert.equal(asyncOperation.status, "Failed");
    assert.deepEqual(asyncOperation.error, {
      code: "InvalidServicePrincipalPermissions",
      message: "refused",
    });
    assert.equal(openShiftCluster?.properties.provisioningState, "Failed");
    assert.equal(openShiftCluster?.properties.failedProvisioningState, "Creating");
  }
  const workers = new Set<string>();
  for (const { partitionKey, operationId } of queued) {
    const query = { partitionKey, where: { operationId }, limit: 100 };
    const { items } = await database.collections.journal.list(query, signal);
    assert.deepEqual(new Set(items.map(({ document }) => document.attempt)), new Set([1]));
    for (const { document } of items) workers.add(document.worker);
  }
  assert.deepEqual([...workers].sort(), ["a", "b"]);
});

test("the end of an operation is one commit: states, error, snapshot and lease", async () => {
  const cluster = newCluster({ name: "ending", subscriptionId: world.subscriptionId });
  const queued = await putCluster(database, cluster);
  await using _backend = await start(refusing);
  await operationEnd(database, queued);
  const stored = await database.collections.clusters.find(queued.partitionKey, queued.id, signal);
  assert.equal(stored?.document.asyncOperationId, undefined);
  assert.equal(stored?.document.correlationData, undefined);
  assert.equal(stored?.document.openShiftCluster.properties.provisioningState, "Failed");
  assert.equal(stored?.document.openShiftCluster.properties.lastProvisioningState, undefined);
});

test("a cluster fails after five vanished workers without a finished step, and can be deleted", async () => {
  const cluster = newCluster({ name: "vanishing", subscriptionId: world.subscriptionId });
  const queued = await putCluster(database, cluster);
  for (let attempt = 1; attempt <= 5; attempt++) {
    const { lease } = await acquireCluster(database, "vanishing");
    await database.collections.clusters.release(lease, { backoffMs: 0, signal });
  }
  await using _backend = await start();
  const { asyncOperation, openShiftCluster } = await operationEnd(database, queued);
  assert.equal(asyncOperation.status, "Failed");
  assert.deepEqual(asyncOperation.error, { code: "InternalServerError", message: "Internal server error." });
  assert.equal(openShiftCluster?.properties.failedProvisioningState, "Creating");
  const deletion = await putCluster(database, {
    ...cluster,
    properties: { ...cluster.properties, provisioningState: "Deleting" },
  });
  assert.equal((await operationEnd(database, deletion)).asyncOperation.status, "Succeeded");
  assert.equal(await readCluster(database, cluster.id), undefined);
});

test("workers that vanish after a finished step do not fail a cluster", async () => {
  const cluster = newCluster({ name: "slow", subscriptionId: world.subscriptionId });
  const queued = await putCluster(database, cluster);
  const { partitionKey } = queued;
  for (let attempt = 1; attempt <= 9; attempt++) {
    const { lease, attempt: dequeues } = await acquireCluster(database, "slow");
    const document = {
      id: `${queued.operationId}.made-up-${attempt}`,
      partitionKey,
      operationId: queued.operationId,
      openShiftClusterKey: queued.clusterKey,
      step: `made-up-${attempt}`,
      state: "finished",
      attempt: 1,
      worker: "slow",
      generation: lease.generation,
      dequeues,
      startedAt: "2026-01-01T00:00:00Z",
    } as const;
    const collection = database.collections.journal.definition.name;
    await database.commit(partitionKey, [{ kind: "create", collection, document }], { lease, signal });
    await database.collections.clusters.release(lease, { backoffMs: 0, signal });
  }
  await using _backend = await start(refusing);
  const { asyncOperation } = await operationEnd(database, queued);
  assert.equal(asyncOperation.error?.code, "InvalidServicePrincipalPermissions");
});

test("an operation that cannot be prepared fails after a bounded number of acquisitions", async () => {
  const cluster = newCluster({ name: "unprepared", subscriptionId: world.subscriptionId });
  const queued = await putCluster(database, cluster);
  const journal = {
    ...database.collections.journal,
    list: () => Promise.reject(new TypeError("the journal cannot be read")),
  };
  const metrics = new Metrics();
  await using _backend = await start(
    {},
    {
      database: { ...database, collections: { ...database.collections, journal } },
      maxAttempts: 1,
      failureBackoffMs: 1,
      metrics,
    },
  );
  const { asyncOperation, openShiftCluster } = await operationEnd(database, queued);
  assert.equal(asyncOperation.status, "Failed");
  assert.deepEqual(asyncOperation.error, { code: "InternalServerError", message: "Internal server error." });
  assert.equal(openShiftCluster?.properties.provisioningState, "Failed");
  const { body } = await metrics.expose();
  assert.match(body, /failures_total\{stage="prepare",code="Unexpected"\} 5\n/);
});

test("an unavailable database during the preparation does not fail an operation", async () => {
  const cluster = newCluster({ name: "patient", subscriptionId: world.subscriptionId });
  const queued = await putCluster(database, cluster);
  let failures = 0;
  const journal: ServiceDatabase["collections"]["journal"] = {
    ...database.collections.journal,
    list: (...args) =>
      ++failures <= 12
        ? Promise.reject(errors.StoreUnavailable("no connection"))
        : database.collections.journal.list(...args),
  };
  await using _backend = await start(refusing, {
    database: { ...database, collections: { ...database.collections, journal } },
    maxAttempts: 1,
    failureBackoffMs: 1,
  });
  const { asyncOperation } = await operationEnd(database, queued);
  assert.equal(asyncOperation.error?.code, "InvalidServicePrincipalPermissions");
});

test("a concurrent write at the operation's end is kept", async () => {
  const cluster = newCluster({ name: "contended", subscriptionId: world.subscriptionId });
  const queued = await putCluster(database, cluster);
  const { clusters } = database.collections;
  const touching: Partial<ClusterEnvironment> = {
    connectAzureAs: () => {
      throw new CloudError("InvalidServicePrincipalPermissions", "refused");
    },
    tenantIdOf: () => {
      void touch();
      return "tenant";
    },
  };
  const touched = Promise.withResolvers<void>();
  const touch = async () => {
    for (;;) {
      const stored = await clusters.find(queued.partitionKey, queued.id, signal);
      assert.ok(stored);
      const document = {
        ...stored.document,
        openShiftCluster: { ...stored.document.openShiftCluster, tags: { a: "b" } },
      };
      const result = await database.commit(queued.partitionKey, [replace(clusters, stored, document)], {
        signal,
      });
      if (result.kind === "committed") break;
    }
    touched.resolve();
  };
  await using _backend = await start(touching);
  await touched.promise;
  await operationEnd(database, queued);
  assert.deepEqual((await readCluster(database, cluster.id))?.tags, { a: "b" });
});

test("a drained backend releases a cluster immediately, even during a step's back-off", async () => {
  const inside = Promise.withResolvers<void>();
  const cluster = newCluster({ name: "draining", subscriptionId: world.subscriptionId });
  const queued = await putCluster(database, cluster);
  const unknownPrincipal: Partial<ClusterEnvironment> = {
    authorizationRetry: { everyMs: 60_000, forMs: 600_000 },
    connectAzureAs: (...args) => {
      inside.resolve();
      return world.environment.connectAzureAs(...args);
    },
  };
  const backend = await start(unknownPrincipal);
  await inside.promise;
  await backend.drain(signal);
  const leased = await acquireCluster(database, "next", 1_000);
  assert.equal(leased.document.id, queued.id);
  assert.equal(leased.document.openShiftCluster.properties.provisioningState, "Creating");
  await database.collections.clusters.release(leased.lease, { backoffMs: 0, signal });
  await using _next = await start(refusing);
  await operationEnd(database, queued);
});

test("the clusters of a deleted subscription are deleted, including failed ones and busy ones when they are idle", async () => {
  const subscriptionId = crypto.randomUUID();
  await putSubscription(database, subscriptionId, "Deleted");
  const at = (name: string, state: ProvisioningState) => newCluster({ name, subscriptionId, state });
  const exhausted = at("exhausted", "Failed");
  const resting = at("resting", "Succeeded");
  const busy = at("busy", "Updating");
  for (const cluster of [exhausted, resting, busy]) await putCluster(database, cluster);
  const worker = await acquireCluster(database, "busy");
  assert.equal(worker.document.openShiftCluster.name, "busy");
  await using _backend = await start({}, { subscriptionBackoffMs: 200 });
  await until(async () => (await readCluster(database, resting.id)) === undefined);
  await until(async () => (await readCluster(database, exhausted.id)) === undefined);
  assert.ok(await readCluster(database, busy.id));
  const { subscriptions, clusters } = database.collections;
  const isDeleting = async () =>
    (await subscriptions.find(subscriptionId, subscriptionId, signal))?.document.deleting;
  assert.equal(await isDeleting(), true);
  const rested = {
    ...worker.document,
    openShiftCluster: {
      ...busy,
      properties: { ...busy.properties, provisioningState: "Succeeded" },
    },
  } as const;
  await database.commit(subscriptionId, [replace(clusters, worker, rested)], {
    lease: worker.lease,
    release: true,
    signal,
  });
  await until(async () => (await readCluster(database, busy.id)) === undefined);
  await until(async () => (await isDeleting()) === false);
});
