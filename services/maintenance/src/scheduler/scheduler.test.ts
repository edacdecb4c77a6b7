import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { resourceKey } from "@keelson/arm";
import { silentLogger, systemClock } from "@keelson/base";
import { openStore, putSubscription } from "@keelson/cluster/testing";
import { create, remove, replace } from "@keelson/database";
import {
  cancelManifest,
  clusterKeys,
  type MaintenanceManifestDocument,
  type MaintenanceSchedule,
  type OpenShiftCluster,
  type ServiceDatabase,
  schedulesPartition,
} from "@keelson/model";
import { putIdleCluster } from "../testing/idle-cluster.ts";
import { cancelledText, reconcile } from "./reconcile.ts";
import { startScheduler } from "./scheduler.ts";

const signal = AbortSignal.timeout(900_000);
const subscriptionId = "33333333-3333-4333-8333-333333333333";
const other = "44444444-4444-4444-8444-444444444444";

let database: ServiceDatabase;
before(async () => {
  database = await openStore();
  await putSubscription(database, subscriptionId);
  await putSubscription(database, other);
});
after(() => database[Symbol.asyncDispose]());

const start = () =>
  startScheduler({
    database,
    domain: "eastus.keelson.localhost",
    clock: systemClock,
    logger: silentLogger,
  });

const weeklyTask = {
  state: "Enabled",
  maintenanceTaskID: "task",
  schedule: "Mon *-*-* 00:00",
  lookForwardCount: 2,
  scheduleAcross: "1h",
} as const;

async function put(id: string, change: Partial<MaintenanceSchedule> = {}): Promise<void> {
  const { schedules } = database.collections;
  const stored = await schedules.find(schedulesPartition, id, signal);
  const maintenanceSchedule: MaintenanceSchedule = {
    ...weeklyTask,
    selectors: [{ key: "subscriptionID", operator: "eq", value: subscriptionId }],
    ...change,
  };
  const document = { id, partitionKey: schedulesPartition, maintenanceSchedule };
  const write = stored ? replace(schedules, stored, document) : create(schedules, document);
  await database.commit(schedulesPartition, [write], { signal });
}

/** Returns a cluster's manifests of a schedule by state, ordered by time. */
async function manifests(
  cluster: OpenShiftCluster,
  createdBySchedule: string,
  state: string,
): Promise<readonly MaintenanceManifestDocument[]> {
  const query = {
    partitionKey: resourceKey(cluster.id),
    where: { createdBySchedule, state },
    orderBy: "runAfter",
    limit: 100,
  };
  return (await database.collections.manifests.list(query, signal)).items.map(({ document }) => document);
}

async function until<T>(read: () => Promise<T>, isThere: (value: T) => boolean): Promise<T> {
  for (;;) {
    const value = await read();
    if (isThere(value)) return value;
    await systemClock.sleep(20, signal);
  }
}

const pending = (cluster: OpenShiftCluster, schedule: string, count: number) =>
  until(
    () => manifests(cluster, schedule, "Pending"),
    ({ length }) => length === count,
  );

const ids = (documents: readonly MaintenanceManifestDocument[]) => documents.map(({ id }) => id);

test("each cluster that a schedule selects has a manifest for each of the coming periods, also after a restart", async () => {
  const cluster = await putIdleCluster(database, subscriptionId);
  const unchosen = await putIdleCluster(database, other);
  const creating = await putIdleCluster(database, subscriptionId, {
    provisioningState: "Failed",
    failedProvisioningState: "Creating",
  });
  await put("weekly");
  let first: readonly MaintenanceManifestDocument[];
  {
    await using scheduler = start();
    first = await pending(cluster, "weekly", 2);
    await until(async () => scheduler.ready(), Boolean);
  }
  for (const { maintenanceManifest } of first) {
    const { runAfter, runBefore, maintenanceTaskID } = maintenanceManifest;
    const intoTheWeek = runAfter - Date.parse("2026-01-05T00:00:00Z") / 1000;
    assert.ok(intoTheWeek % (7 * 24 * 3600) < 3600, "within an hour from Monday's start");
    assert.equal(runBefore, runAfter + 3600);
    assert.equal(maintenanceTaskID, "task");
  }
  await using _again = start();
  // Creates a marker cluster after the restart. Once the marker's manifests exist, all earlier changes have been evaluated.
  const marker = await putIdleCluster(database, subscriptionId);
  await pending(marker, "weekly", 2);
  assert.deepEqual(ids(await manifests(cluster, "weekly", "Pending")), ids(first));
  for (const none of [unchosen, creating]) assert.deepEqual(await manifests(none, "weekly", "Pending"), []);
});

test("two schedulers create each manifest once, and a change of the schedule cancels obsolete ones", async () => {
  const cluster = await putIdleCluster(database, subscriptionId);
  await using _a = start();
  await using _b = start();
  await put("edited", { lookForwardCount: 3 });
  const before = await pending(cluster, "edited", 3);
  await put("edited", { lookForwardCount: 3, schedule: "Wed *-*-* 12:00" });
  const cancelled = await until(
    () => manifests(cluster, "edited", "Cancelled"),
    ({ length }) => length === 3,
  );
  assert.deepEqual(ids(cancelled), ids(before));
  assert.ok(cancelled.every(({ maintenanceManifest: { statusText } }) => statusText === cancelledText));
  const wednesdays = await pending(cluster, "edited", 3);
  // The schedule changes back to Mondays, which restores the cancelled manifests.
  await put("edited", { lookForwardCount: 3 });
  await until(
    () => manifests(cluster, "edited", "Pending"),
    (now) => ids(now).join() === ids(before).join(),
  );
  assert.deepEqual(ids(await manifests(cluster, "edited", "Cancelled")), ids(wednesdays));
});

test("a manifest cancelled by an administrator stays cancelled, and a cluster that is no longer selected loses its manifests", async () => {
  const cluster = await putIdleCluster(database, subscriptionId);
  await using _scheduler = start();
  await put("kept");
  const [first] = await pending(cluster, "kept", 2);
  assert.ok(first);
  const stored = await database.collections.manifests.find(first.partitionKey, first.id, signal);
  assert.ok(stored);
  const write = replace(database.collections.manifests, stored, cancelManifest(stored.document));
  await database.commit(first.partitionKey, [write], { signal });
  await put("kept", { lookForwardCount: 3 });
  const now = await pending(cluster, "kept", 2);
  assert.ok(!ids(now).includes(first.id));
  await put("kept", { selectors: [{ key: "subscriptionID", operator: "eq", value: other }] });
  await pending(cluster, "kept", 0);
});

test("a disabled or invalid schedule changes nothing, and the others are applied", async () => {
  const cluster = await putIdleCluster(database, subscriptionId);
  await using _scheduler = start();
  await put("disabled");
  const before = await pending(cluster, "disabled", 2);
  await put("disabled", { state: "Disabled", schedule: "Tue *-*-* 00:00" });
  await put("mistaken", { selectors: [{ key: "colour", operator: "eq", value: "red" }] });
  await put("good");
  await pending(cluster, "good", 2);
  assert.deepEqual(ids(await manifests(cluster, "disabled", "Pending")), ids(before));
  assert.deepEqual(await manifests(cluster, "mistaken", "Pending"), []);
});

/** Returns a weekly schedule that selects clusters in state `Succeeded`. */
const scheduleOfReady = (id: string, change: Partial<MaintenanceSchedule>) => ({
  id,
  partitionKey: schedulesPartition,
  maintenanceSchedule: {
    ...weeklyTask,
    selectors: [{ key: "provisioningState", operator: "eq", value: "Succeeded" } as const],
    ...change,
  },
});

test("a reselected cluster regains its manifest of a period that has begun, but gets no new one for it", async () => {
  const { key } = clusterKeys(await putIdleCluster(database, subscriptionId));
  const chosen = { key, documentId: "d", bucket: 0, selectors: { provisioningState: "Succeeded" } };
  const busy = { ...chosen, selectors: { provisioningState: "Updating" } };
  const weekly = scheduleOfReady("begun", { scheduleAcross: "24h" });
  const look = (cluster: typeof chosen, now: string, schedule = weekly) =>
    reconcile(database, schedule, cluster, new Date(now), signal);
  const monday = "2026-11-23T00:00:01Z";
  assert.deepEqual(await look(chosen, "2026-11-22T00:00:00Z"), { created: 2, cancelled: 0 });
  assert.deepEqual(await look(busy, monday), { created: 0, cancelled: 2 });
  // The manifests of the current and the next period are restored. The manifest of the following period is new.
  assert.deepEqual(await look(chosen, monday), { created: 3, cancelled: 0 });
  assert.deepEqual(await look(chosen, monday), { created: 0, cancelled: 0 });
  assert.deepEqual(await look(chosen, monday, { ...weekly, id: "later" }), { created: 2, cancelled: 0 });
});

test("manifests of an earlier cluster of the name are cancelled, and those of an older release are bound", async () => {
  const { key } = clusterKeys(await putIdleCluster(database, subscriptionId));
  const weekly = scheduleOfReady("rebound", { lookForwardCount: 1 });
  const now = new Date("2026-11-22T00:00:00Z");
  const look = (documentId: string) =>
    reconcile(
      database,
      weekly,
      { key, documentId, bucket: 0, selectors: { provisioningState: "Succeeded" } },
      now,
      signal,
    );
  const ofState = async (state: string) => {
    const query = { partitionKey: key, where: { createdBySchedule: "rebound", state }, limit: 10 };
    return (await database.collections.manifests.list(query, signal)).items;
  };
  const bindings = async (state: string) =>
    (await ofState(state)).map(({ document }) => document.clusterDocumentId);
  assert.deepEqual(await look("first"), { created: 1, cancelled: 0 });
  assert.deepEqual(await look("second"), { created: 1, cancelled: 1 });
  assert.deepEqual([await bindings("Cancelled"), await bindings("Pending")], [["first"], ["second"]]);
  const [pending] = await ofState("Pending");
  assert.ok(pending);
  const { clusterDocumentId: _, ...unbound } = pending.document;
  await database.commit(key, [replace(database.collections.manifests, pending, unbound)], { signal });
  assert.deepEqual(await look("second"), { created: 0, cancelled: 0 });
  assert.deepEqual(await bindings("Pending"), ["second"]);
});

test("changes of a cluster or its subscription are applied", async () => {
  const cluster = await putIdleCluster(database, subscriptionId);
  await using _scheduler = start();
  await put("state", { selectors: [{ key: "provisioningState", operator: "eq", value: "Failed" }] });
  await put("warned", { selectors: [{ key: "subscriptionState", operator: "in", values: ["Warned"] }] });
  const { clusters } = database.collections;
  const stored = await clusters.findBy(subscriptionId, "key", resourceKey(cluster.id), signal);
  assert.ok(stored);
  const failed = { ...cluster, properties: { ...cluster.properties, provisioningState: "Failed" } } as const;
  const write = replace(clusters, stored, { ...stored.document, openShiftCluster: failed });
  await database.commit(subscriptionId, [write], { signal });
  await pending(cluster, "state", 2);
  await putSubscription(database, subscriptionId, "Warned");
  await pending(cluster, "warned", 2);
  const current = await clusters.findBy(subscriptionId, "key", resourceKey(cluster.id), signal);
  assert.ok(current);
  await database.commit(subscriptionId, [remove(clusters, current)], { signal });
  await putSubscription(database, subscriptionId);
});
