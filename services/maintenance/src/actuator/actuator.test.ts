import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { defineErrors, silentLogger, systemClock } from "@keelson/base";
import { ManualClock } from "@keelson/base/testing";
import type { ClusterContext, ClusterEnvironment } from "@keelson/cluster";
import { acquireCluster, newCluster, openStore, putCluster, putSubscription } from "@keelson/cluster/testing";
import { create, remove, replace, type Stored } from "@keelson/database";
import {
  actuatorWorkers,
  cancelManifest,
  clusterKeys,
  type MaintenanceManifest,
  type MaintenanceManifestDocument,
  type OpenShiftCluster,
  type ServiceDatabase,
  withManifest,
} from "@keelson/model";
import type { Graph } from "@keelson/workflow";
import { putIdleCluster } from "../testing/idle-cluster.ts";
import { type Actuator, type ActuatorOptions, startActuator } from "./actuator.ts";

const signal = AbortSignal.timeout(900_000);
const subscriptionId = "22222222-2222-4222-8222-222222222222";
const errors = defineErrors({ Passing: { retry: "backoff" }, Lasting: { retry: "never" } });

let database: ServiceDatabase;
before(async () => {
  database = await openStore();
  await putSubscription(database, subscriptionId);
});
after(() => database[Symbol.asyncDispose]());

/** Returns a task that consists of one step, which is not retried. */
function task(run: (context: ClusterContext) => Promise<void>): Graph<ClusterContext> {
  const retry = { attempts: 1, firstMs: 1, factor: 1, maxMs: 1, jitter: 0 };
  const step = {
    kind: "action",
    name: "onlyStep",
    needs: [],
    weight: 1,
    retry,
    run,
    timeoutMs: 60_000,
  } as const;
  return { name: "task", steps: [step] };
}

const environment: ClusterEnvironment = {
  location: "eastus",
  domain: "eastus.keelson.localhost",
  resourceGroup: "rp",
  subscriptionId,
  network: { privateEndpointSubnetId: "", serviceSubnetId: "" },
  environmentType: "test",
  operatorImage: "keelson:latest",
  azure: { armEndpoint: "", loginEndpoint: "", audience: "" },
  connectAzure: () => assert.fail("no task of these tests needs Azure"),
  connectAzureAs: () => assert.fail("no task of these tests needs Azure"),
  tenantIdOf: () => "tenant",
  installer: {
    generate: () => assert.fail("no installs"),
    createMachines: () => assert.fail("no installs"),
    bootstrapComplete: () => assert.fail("no installs"),
    finish: () => assert.fail("no installs"),
    forget: () => assert.fail("no installs"),
  },
  certificateIssuer: {
    issue: () => assert.fail("no certificates"),
    forget: () => assert.fail("no certificates"),
  },
  authorizationRetry: { everyMs: 1, forMs: 1 },
};

function actuator(
  tasks: Readonly<Record<string, Graph<ClusterContext>>>,
  options: Partial<ActuatorOptions> = {},
): Actuator {
  return startActuator({
    database,
    environment,
    tasks: new Map(Object.entries(tasks)),
    waitMs: 30,
    clock: systemClock,
    logger: silentLogger,
    ...options,
  });
}

const idleCluster = () => putIdleCluster(database, subscriptionId);

async function plan(
  cluster: OpenShiftCluster,
  manifest: Partial<MaintenanceManifest> = {},
  binding?: Pick<MaintenanceManifestDocument, "clusterDocumentId">,
): Promise<MaintenanceManifestDocument> {
  const { key } = clusterKeys(cluster);
  const found = await database.collections.clusters.findBy(subscriptionId, "key", key, signal);
  const now = Math.floor(Date.now() / 1000);
  const document: MaintenanceManifestDocument = {
    id: randomUUID(),
    partitionKey: key,
    clusterResourceID: key,
    ...(binding ?? { clusterDocumentId: found?.document.id ?? randomUUID() }),
    maintenanceManifest: {
      state: "Pending",
      maintenanceTaskID: "task",
      priority: 0,
      runAfter: now - 60,
      runBefore: now + 3600,
      ...manifest,
    },
  };
  await commit(create(database.collections.manifests, document), key);
  return document;
}

async function commit(write: ReturnType<typeof create>, partitionKey: string): Promise<void> {
  assert.equal((await database.commit(partitionKey, [write], { signal })).kind, "committed");
}

async function stored({
  partitionKey,
  id,
}: MaintenanceManifestDocument): Promise<Stored<MaintenanceManifestDocument>> {
  const found = await database.collections.manifests.find(partitionKey, id, signal);
  assert.ok(found);
  return found;
}

async function manifestOf(document: MaintenanceManifestDocument): Promise<MaintenanceManifest> {
  return (await stored(document)).document.maintenanceManifest;
}

async function reaches(
  document: MaintenanceManifestDocument,
  state: MaintenanceManifest["state"],
): Promise<MaintenanceManifest> {
  for (;;) {
    const manifest = await manifestOf(document);
    if (manifest.state === state) return manifest;
    await systemClock.sleep(20, signal);
  }
}

/** Removes the back-off before the next attempt and sets the attempt counter to `attempts`. */
async function soon(document: MaintenanceManifestDocument, attempts: number): Promise<void> {
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const limit = { owner: "impatient", ttlMs: 60_000, limit: 1, signal };
    const [leased] = await database.collections.manifests.acquire(limit);
    assert.equal(leased?.document.id, document.id);
    await database.collections.manifests.release(leased.lease, { backoffMs: 0, signal });
  }
}

describe("a manifest", () => {
  test("is carried out: its task changes the cluster, which is free again afterwards", async () => {
    const cluster = await idleCluster();
    const manifest = await plan(cluster);
    const seen: string[] = [];
    await using _actuator = actuator({
      task: task(async ({ update }) => {
        seen.push((await manifestOf(manifest)).state);
        await update((current) => ({ ...current, tags: { maintained: "true" } }));
      }),
    });
    assert.equal((await reaches(manifest, "Completed")).statusText, "");
    assert.deepEqual(seen, ["InProgress"]);
    const found = await database.collections.clusters.findBy(
      subscriptionId,
      "key",
      manifest.partitionKey,
      signal,
    );
    assert.deepEqual(found?.document.openShiftCluster.tags, { maintained: "true" });
  });

  test("of a task that the actuator executes is accepted, also after the registration was renewed", async () => {
    const clock = new ManualClock();
    await using _actuator = actuator({ task: task(async () => {}) }, { clock });
    const { poolWorkers } = database.collections;
    const registrations = async () =>
      (await poolWorkers.list({ partitionKey: actuatorWorkers, limit: 10 }, signal)).items;
    const next = async (etag: string | undefined) => {
      for (;;) {
        const [registration] = await registrations();
        if (registration && registration.etag !== etag) return registration;
        await clock.advance(10_000);
      }
    };
    const first = await next(undefined);
    const renewed = await next(first.etag);
    assert.deepEqual([first.document.tasks, renewed.document.tasks], [["task"], ["task"]]);
  });

  test("with a past time window does not begin", async () => {
    const manifest = await plan(await idleCluster(), { runAfter: 1_000, runBefore: 2_000 });
    await using _actuator = actuator({ task: task(() => assert.fail("begun")) });
    assert.match((await reaches(manifest, "TimedOut")).statusText ?? "", /^timed out at 2\d{3}-/);
  });

  test("with a future time waits", async () => {
    const later = await plan(await idleCluster(), { runAfter: Math.floor(Date.now() / 1000) + 3600 });
    const now = await plan(await idleCluster());
    await using _actuator = actuator({ task: task(async () => {}) });
    await reaches(now, "Completed");
    assert.equal((await manifestOf(later)).state, "Pending");
    await commit(
      replace(database.collections.manifests, await stored(later), cancelManifest(later)),
      later.partitionKey,
    );
  });

  test("of an unknown task fails", async () => {
    const manifest = await plan(await idleCluster(), { maintenanceTaskID: "unknown" });
    await using _actuator = actuator({});
    assert.equal((await reaches(manifest, "Failed")).statusText, "task ID not registered");
  });

  test("of a deleted cluster fails", async () => {
    const manifest = await plan(newCluster({ name: "gone", subscriptionId }));
    await using _actuator = actuator({ task: task(async () => {}) });
    assert.equal((await reaches(manifest, "Failed")).statusText, "the cluster does not exist");
  });

  test("of an earlier cluster of the name fails, also after its begin", async () => {
    const cluster = await idleCluster();
    const documents = [
      await plan(cluster, {}, { clusterDocumentId: randomUUID() }),
      await plan(cluster, { state: "InProgress" }, { clusterDocumentId: randomUUID() }),
    ];
    await using _actuator = actuator({ task: task(() => assert.fail("begun")) });
    for (const document of documents)
      assert.equal((await reaches(document, "Failed")).statusText, "the cluster does not exist");
  });

  test("of an older release does not begin, but ends if it had begun on this cluster", async () => {
    const createdAt = new Date(Date.now() - 3_600_000).toISOString();
    const cluster = await putIdleCluster(database, subscriptionId, { createdAt });
    const pending = await plan(cluster, {}, {});
    const begun = await plan(cluster, { state: "InProgress" }, {});
    await using _actuator = actuator({ task: task(async () => {}) });
    assert.match((await reaches(pending, "Failed")).statusText ?? "", /Plan it again/);
    await reaches(begun, "Completed");
    const found = await database.collections.clusters.findBy(
      subscriptionId,
      "key",
      begun.partitionKey,
      signal,
    );
    assert.equal((await stored(begun)).document.clusterDocumentId, found?.document.id);
  });

  test("that fails permanently has the reason", async () => {
    const manifest = await plan(await idleCluster());
    await using _actuator = actuator({
      task: task(async () => {
        throw errors.Lasting("it will never work");
      }),
    });
    assert.equal((await reaches(manifest, "Failed")).statusText, "TerminalError: it will never work");
  });

  test("that fails temporarily is pending again, and fails permanently in its fifth attempt", async () => {
    const manifest = await plan(await idleCluster());
    const failing = {
      task: task(async () => {
        throw errors.Passing("not now");
      }),
    };
    {
      await using _actuator = actuator(failing);
      while ((await manifestOf(manifest)).statusText !== "TransientError: not now") {
        await systemClock.sleep(20, signal);
      }
    }
    assert.equal((await manifestOf(manifest)).state, "Pending");
    // The state `Cancelled` removes the manifest from the queue, and the state `Pending` adds it again. This resets the back-off
    // and the attempt counter.
    const { manifests } = database.collections;
    for (const state of ["Cancelled", "Pending"] as const) {
      const current = await stored(manifest);
      await commit(
        replace(manifests, current, withManifest(current.document, { state })),
        manifest.partitionKey,
      );
    }
    await soon(manifest, 4);
    await using _actuator = actuator(failing);
    const { statusText } = await reaches(manifest, "RetriesExceeded");
    assert.equal(statusText, "did not succeed after 5 times, failing -- TransientError: not now");
  });

  test("that exceeds its time limit fails, and its step is aborted", async () => {
    const manifest = await plan(await idleCluster());
    let isAborted = false;
    await using _actuator = actuator(
      {
        task: task(async (context) => {
          await systemClock.sleep(60_000, context.signal).catch((error: unknown) => {
            isAborted = true;
            throw error;
          });
        }),
      },
      { taskMs: 2_000 },
    );
    assert.equal((await reaches(manifest, "Failed")).statusText, "TerminalError: the task took too long");
    assert.ok(isAborted);
  });

  test("that is deleted while it is carried out ends its task, and leaves its cluster free", async () => {
    const cluster = await idleCluster();
    const manifest = await plan(cluster);
    const inside = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<unknown>();
    const waiting = {
      task: task(async ({ signal: ofTask }) => {
        inside.resolve();
        await systemClock.sleep(100_000, ofTask).catch(ended.resolve);
        ofTask.throwIfAborted();
      }),
      next: task(async () => {}),
    };
    await using _actuator = actuator(waiting, { leaseMs: 4_000, heartbeatMs: 100 });
    await inside.promise;
    const write = remove(database.collections.manifests, await stored(manifest));
    await commit(write, manifest.partitionKey);
    await ended.promise;
    await reaches(await plan(cluster, { maintenanceTaskID: "next" }), "Completed");
  });

  test("that is cancelled first is not begun", async () => {
    const cluster = await idleCluster();
    const manifest = await plan(cluster);
    const { manifests } = database.collections;
    const [leased] = await manifests.acquire({ owner: "a", ttlMs: 60_000, limit: 1, signal });
    assert.ok(leased);
    await commit(replace(manifests, leased, cancelManifest(leased.document)), manifest.partitionKey);
    await manifests.release(leased.lease, { backoffMs: 0, signal });
    const next = await plan(cluster);
    const begun: string[] = [];
    await using _actuator = actuator({ task: task(async ({ cluster: { name } }) => void begun.push(name)) });
    await reaches(next, "Completed");
    assert.deepEqual(begun, [cluster.name]);
    assert.equal((await manifestOf(manifest)).state, "Cancelled");
  });
});

test("the manifests of a cluster run one by one, by time and then by priority, and other clusters do not wait", async () => {
  const cluster = await idleCluster();
  const early = Math.floor(Date.now() / 1000) - 500;
  const order: string[] = [];
  let running = 0;
  const noting = (name: string) =>
    task(async () => {
      assert.equal(++running, 1);
      order.push(name);
      await systemClock.sleep(30, signal);
      running--;
    });
  const last = await plan(cluster, { maintenanceTaskID: "last", runAfter: early + 1 });
  await plan(cluster, { maintenanceTaskID: "second", runAfter: early, priority: 2 });
  await plan(cluster, { maintenanceTaskID: "first", runAfter: early, priority: 1 });
  const other = await plan(await idleCluster(), { maintenanceTaskID: "other", runAfter: early });
  const release = Promise.withResolvers<void>();
  await using _a = actuator({
    first: noting("first"),
    second: noting("second"),
    last: noting("last"),
    other: task(() => release.promise),
  });
  await reaches(last, "Completed");
  assert.deepEqual(order, ["first", "second", "last"]);
  assert.equal((await manifestOf(other)).state, "InProgress");
  release.resolve();
  await reaches(other, "Completed");
});

describe("a cluster has one worker at a time", () => {
  test("a task waits while an operation waits or runs, without counting an attempt", async () => {
    const cluster = await idleCluster();
    const queued = await putCluster(database, {
      ...cluster,
      properties: { ...cluster.properties, provisioningState: "Updating" },
    });
    const manifest = await plan(cluster);
    const attempts: number[] = [];
    await using _actuator = actuator({ task: task(async (context) => void attempts.push(context.attempt)) });
    await systemClock.sleep(200, signal);
    const operation = await acquireCluster(database, "backend");
    assert.equal(operation.document.id, queued.id);
    await systemClock.sleep(200, signal);
    assert.equal((await manifestOf(manifest)).state, "Pending");
    const { document } = operation;
    const rested = {
      ...document,
      openShiftCluster: { ...document.openShiftCluster, properties: { ...cluster.properties } },
    };
    await database.commit(subscriptionId, [replace(database.collections.clusters, operation, rested)], {
      lease: operation.lease,
      release: true,
      signal,
    });
    await reaches(manifest, "Completed");
    assert.deepEqual(attempts, [1]);
  });

  test("an operation requested meanwhile begins after the end of the task", async () => {
    const cluster = await idleCluster();
    const manifest = await plan(cluster);
    const inside = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    await using _actuator = actuator({
      task: task(async () => {
        inside.resolve();
        await release.promise;
      }),
    });
    await inside.promise;
    const queued = await putCluster(database, {
      ...cluster,
      properties: { ...cluster.properties, provisioningState: "Updating" },
    });
    const { clusters } = database.collections;
    const acquire = () => clusters.acquire({ owner: "backend", ttlMs: 60_000, limit: 1, signal });
    assert.deepEqual(await acquire(), []);
    release.resolve();
    await reaches(manifest, "Completed");
    for (;;) {
      const [leased] = await acquire();
      if (leased) {
        assert.equal(leased.document.id, queued.id);
        break;
      }
      await systemClock.sleep(20, signal);
    }
  });
});

describe("an actuator that ends", () => {
  test("by a kill leaves a manifest that a second actuator resumes after the finished steps", async () => {
    const manifest = await plan(await idleCluster());
    const { manifests } = database.collections;
    const [leased] = await manifests.acquire({ owner: "killed", ttlMs: 2_000, limit: 1, signal });
    assert.ok(leased);
    const inProgress = withManifest(leased.document, { state: "InProgress" });
    const written = await database.commit(manifest.partitionKey, [replace(manifests, leased, inProgress)], {
      lease: leased.lease,
      signal,
    });
    assert.equal(written.kind, "committed");
    await using _actuator = actuator({ task: task(async () => {}) }, { leaseMs: 4_000, heartbeatMs: 500 });
    await reaches(manifest, "Completed");
  });

  test("by draining releases its manifest, so that a second actuator runs the next step", async () => {
    const manifest = await plan(await idleCluster());
    const ran: string[] = [];
    const inside = Promise.withResolvers<void>();
    const [first] = task(async () => {
      ran.push("first");
      inside.resolve();
      await systemClock.sleep(50, signal);
    }).steps;
    const [second] = task(async () => void ran.push("second")).steps;
    assert.ok(first && second);
    const twoSteps = {
      task: { name: "two", steps: [first, { ...second, name: "secondStep", needs: [first.name] }] },
    };
    const drained = actuator(twoSteps);
    await inside.promise;
    await drained.drain(signal);
    assert.deepEqual(ran, ["first"]);
    assert.equal((await manifestOf(manifest)).state, "InProgress");
    await using next = actuator(twoSteps);
    await reaches(manifest, "Completed");
    assert.deepEqual(ran, ["first", "second"]);
    assert.ok(next.ready());
  });

  test("its lease is renewed while a task runs", async () => {
    const manifest = await plan(await idleCluster());
    let runs = 0;
    const options = { leaseMs: 3_000, heartbeatMs: 300 };
    const slow = {
      task: task(async () => {
        runs++;
        await systemClock.sleep(4_000, signal);
      }),
    };
    await using _a = actuator(slow, options);
    await using _b = actuator(slow, options);
    await reaches(manifest, "Completed");
    assert.equal(runs, 1);
  });
});
