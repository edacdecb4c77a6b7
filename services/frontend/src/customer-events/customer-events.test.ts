import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import { resourceKey } from "@keelson/arm";
import { create, type Write } from "@keelson/database";
import type { ClusterDocument, HealthSummary } from "@keelson/model";
import { type FrontendWithCallers, startFrontendWithCallers } from "../testing/callers.ts";
import type { ClusterAddress } from "../testing/cluster-request.ts";
import { assertError, newCluster } from "../testing/clusters.ts";

const signal = new AbortController().signal;
const none = { count: 0, names: [] };
const summary: HealthSummary = {
  apiServer: 200,
  unavailableOperators: none,
  degradedOperators: none,
  notReadyNodes: { count: 1, names: ["worker-1"] },
  nodes: 6,
  criticalAlerts: none,
  warningAlerts: none,
};

let frontend: FrontendWithCallers;
before(async () => {
  frontend = await startFrontendWithCallers();
});
after(() => frontend[Symbol.asyncDispose]());

async function clusterOf({ id }: ClusterAddress): Promise<ClusterDocument> {
  const key = resourceKey(id);
  const [, , subscription = ""] = key.split("/");
  const stored = await frontend.database.collections.clusters.findBy(subscription, "key", key, signal);
  assert.ok(stored);
  return stored.document;
}

async function commit(partitionKey: string, ...writes: readonly Write[]): Promise<void> {
  const { kind } = await frontend.database.commit(partitionKey, writes, { signal });
  assert.equal(kind, "committed");
}

async function get(url: string) {
  const response = await frontend.client.get(url);
  assert.equal(response.status, 200, response.text);
  return JSON.parse(response.text);
}

const below = ({ url }: ClusterAddress, path: string) => url.replace("?", `/${path}?`);

test("a cluster that was never observed has the availability Unknown", async () => {
  const address = await newCluster(frontend);
  const { value } = await get(below(address, "availabilityStatuses"));
  assert.equal(value.length, 1);
  assert.equal(value[0].id, `${address.id}/providers/Microsoft.ResourceHealth/availabilityStatuses/current`);
  assert.partialDeepStrictEqual(value[0].properties, {
    availabilityState: "Unknown",
    detailedStatus: "NotObserved",
  });
});

test("the availability and its changes are those that the monitor stored, newest first", async () => {
  const address = await newCluster(frontend);
  const { id, partitionKey, key } = await clusterOf(address);
  const observedAt = new Date().toISOString();
  const changes = [
    { state: "Degraded", reason: "NodesNotReady", since: "2026-01-02T00:00:00.000Z" },
    { state: "Available", reason: "Healthy", since: "2026-01-01T00:00:00.000Z" },
  ] as const;
  const document = { id, partitionKey, clusterKey: key, observedAt, summary, changes };
  await commit(partitionKey, create(frontend.database.collections.clusterHealth, document));
  const { value } = await get(below(address, "availabilityStatuses"));
  assert.deepEqual(
    value.map(({ name, properties }: { name: string; properties: Record<string, string> }) => [
      name,
      properties.availabilityState,
      properties.reasonType,
      properties.occuredTime,
      properties.reportedTime,
    ]),
    [
      ["current", "Degraded", "Unplanned", changes[0].since, observedAt],
      [changes[1].since, "Available", "", changes[1].since, changes[0].since],
    ],
  );
  assert.deepEqual(await get(below(address, "availabilityStatuses/current")), value[0]);
});

test("events show maintenance and actions of administrators on this cluster, without names", async () => {
  const address = await newCluster(frontend);
  const { id, partitionKey, key } = await clusterOf(address);
  const { manifests, adminActions, operations } = frontend.database.collections;
  const manifest = {
    id: randomUUID(),
    partitionKey: key,
    clusterResourceID: key,
    clusterDocumentId: id,
    maintenanceManifest: {
      state: "Pending",
      maintenanceTaskID: "b41749fc-af26-4ab7-b5a1-e03f3ee4cba6",
      priority: 0,
      runAfter: 4_000_000_000,
      runBefore: 4_000_003_600,
    },
  } as const;
  const action = {
    id: randomUUID(),
    partitionKey,
    openShiftClusterKey: key,
    clusterDocumentId: id,
    newestFirst: -2,
    action: "cordonnode",
    caller: "alice@example.com",
    reason: "ticket 1",
    requestId: randomUUID(),
    parameters: { vmName: "worker-1" },
    resumable: false,
    state: "Interrupted",
    startedAt: "2030-01-02T00:00:00.000Z",
    endedAt: "2030-01-02T00:01:00.000Z",
  } as const;
  const earlier = { ...action, id: randomUUID(), clusterDocumentId: randomUUID() };
  const operationId = randomUUID();
  const asyncOperation = {
    id: `/operations/${operationId}`,
    name: operationId,
    status: "Succeeded",
    startTime: "2030-01-01T00:00:00.000Z",
    endTime: "2030-01-01T00:10:00.000Z",
  } as const;
  const operation = { id: operationId, partitionKey, openShiftClusterKey: key, asyncOperation };
  await commit(key, create(manifests, manifest));
  await commit(
    partitionKey,
    create(adminActions, action),
    create(adminActions, earlier),
    create(operations, { ...operation, kind: "AdminUpdating" }),
    create(operations, { ...operation, id: randomUUID(), kind: "Updating" }),
  );
  const body = await get(below(address, "serviceEvents"));
  assert.deepEqual(body.value, [
    {
      id: manifest.id,
      eventType: "PlannedMaintenance",
      title: "update operator flags",
      status: "Scheduled",
      startTime: "2096-10-02T07:06:40.000Z",
      latestStartTime: "2096-10-02T08:06:40.000Z",
    },
    {
      id: action.id,
      eventType: "AdministratorAction",
      title: "cordon or uncordon a node",
      status: "Failed",
      startTime: action.startedAt,
      endTime: action.endedAt,
    },
    {
      id: operationId,
      eventType: "AdministratorUpdate",
      title: "update by the service",
      status: "Succeeded",
      startTime: asyncOperation.startTime,
      endTime: asyncOperation.endTime,
    },
  ]);
  assert.doesNotMatch(JSON.stringify(body), /alice|ticket/);
});

test("events show planned maintenance and the newest completed maintenance of a cluster with a long history", async () => {
  const address = await newCluster(frontend);
  const { id, key } = await clusterOf(address);
  const { manifests } = frontend.database.collections;
  const manifest = (state: "Completed" | "Pending", runAfter: number) =>
    create(manifests, {
      id: randomUUID(),
      partitionKey: key,
      clusterResourceID: key,
      clusterDocumentId: id,
      maintenanceManifest: {
        state,
        maintenanceTaskID: "b41749fc-af26-4ab7-b5a1-e03f3ee4cba6",
        priority: 0,
        runAfter,
        runBefore: runAfter + 1,
      },
    });
  const newest = 1_000_000_000 + 149;
  for (let first = newest - 149; first < newest; first += 50)
    await commit(key, ...Array.from({ length: 50 }, (_, at) => manifest("Completed", first + at)));
  await commit(key, manifest("Pending", 999_999_999));
  const { value } = await get(below(address, "serviceEvents"));
  const times = (status: string): readonly number[] =>
    value
      .filter((event: { readonly status: string }) => event.status === status)
      .map(({ startTime }: { readonly startTime: string }) => Date.parse(startTime) / 1_000);
  assert.deepEqual(times("Scheduled"), [999_999_999]);
  assert.deepEqual(
    times("Succeeded"),
    Array.from({ length: 100 }, (_, at) => newest - at),
  );
});

test("availability and events of a cluster that does not exist are not found", async () => {
  const address = await newCluster(frontend);
  const gone = { ...address, url: address.url.replace("?", "x?") };
  for (const path of ["availabilityStatuses", "availabilityStatuses/current", "serviceEvents"])
    assertError(await frontend.client.get(below(gone, path)), 404, "ResourceNotFound");
});
