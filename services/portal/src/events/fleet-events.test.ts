import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { test } from "node:test";
import type { ResourceKey } from "@keelson/arm";
import { silentLogger, systemClock } from "@keelson/base";
import { openStore } from "@keelson/cluster/testing";
import { create, remove, replace } from "@keelson/database";
import { type ClusterHealthDocument, type HealthSummary, observe } from "@keelson/model";
import { portalEventSchemas } from "@keelson/portal-api";
import { Value } from "typebox/value";
import { storeCluster, subscriptionId } from "../testing/store-cluster.ts";
import type { PortalEvent } from "./event-log.ts";
import { FleetEvents } from "./fleet-events.ts";

const none = { count: 0, names: [] };
const healthy: HealthSummary = {
  apiServer: 200,
  unavailableOperators: none,
  degradedOperators: none,
  notReadyNodes: none,
  nodes: 6,
  criticalAlerts: none,
  warningAlerts: none,
};

test("an observation of the monitor is an event of its cluster, but its deletion is not", async () => {
  const signal = AbortSignal.timeout(300_000);
  await using database = await openStore();
  const key = await storeCluster(database);
  await using fleet = new FleetEvents({ database, clock: systemClock, logger: silentLogger });
  const arrived = new EventTarget();
  const events: PortalEvent[] = [];
  fleet.listen((event) => {
    events.push(event);
    arrived.dispatchEvent(new Event("event"));
  });
  const until = async (name: string, count: number) => {
    while (events.filter((event) => event.name === name).length < count)
      await once(arrived, "event", { signal });
  };
  await until("resync", 1);
  const { clusters, clusterHealth } = database.collections;
  const cluster = await clusters.findBy(subscriptionId, "key", key, signal);
  assert.ok(cluster);
  const { id, partitionKey } = cluster.document;
  const write = async (summary: HealthSummary) => {
    const stored = await clusterHealth.find(partitionKey, id, signal);
    const observed = { id, partitionKey, clusterKey: key, observedAt: new Date().toISOString(), summary };
    const document = observe(stored?.document, observed) as ClusterHealthDocument;
    const change = stored ? replace(clusterHealth, stored, document) : create(clusterHealth, document);
    assert.equal((await database.commit(partitionKey, [change], { signal })).kind, "committed");
  };
  await write(healthy);
  await until("health", 1);
  await write({ ...healthy, notReadyNodes: { count: 1, names: ["worker-1"] } });
  await until("health", 2);
  const stored = await clusterHealth.find(partitionKey, id, signal);
  assert.ok(stored);
  const writes = [remove(clusterHealth, stored), remove(clusters, cluster)];
  assert.equal((await database.commit(partitionKey, writes, { signal })).kind, "committed");
  await until("removed", 1);
  const health = events.flatMap((event) => (event.name === "health" ? [event.data] : []));
  assert.deepEqual(
    health.map((data) => Object(data).health.state),
    ["Available", "Degraded"],
  );
  for (const data of health) {
    assert.ok(Value.Check(portalEventSchemas.health, data));
    assert.equal(data.resourceId, key);
  }
});

test("running operations are sent after the start, and are no longer sent to new clients after their end", async () => {
  const signal = AbortSignal.timeout(300_000);
  await using database = await openStore();
  const openShiftClusterKey = (await storeCluster(database, {
    provisioningState: "Updating",
  })) as ResourceKey;
  await storeCluster(database, { provisioningState: "Updating" });
  const { operations } = database.collections;
  const [id, startTime] = [randomUUID(), "2026-01-01T00:00:00Z"];
  const running = {
    ...{ id, name: id, status: "Updating" as const, startTime },
    properties: { step: "apiServersReady", completedSteps: 1, totalSteps: 2 },
  };
  const document = { id, partitionKey: subscriptionId, openShiftClusterKey, kind: "Updating" as const };
  const commit = async (change: Parameters<typeof database.commit>[1][number]) =>
    assert.equal((await database.commit(subscriptionId, [change], { signal })).kind, "committed");
  await commit(create(operations, { ...document, asyncOperation: running }));
  await using fleet = new FleetEvents({ database, clock: systemClock, logger: silentLogger });
  const arrived = new EventTarget();
  const names: string[] = [];
  fleet.listen(({ name }) => {
    names.push(name);
    arrived.dispatchEvent(new Event("event"));
  });
  while (!names.includes("operation")) await once(arrived, "event", { signal });
  assert.equal(names[0], "resync");
  const [event] = fleet.inFlight;
  assert.ok(Value.Check(portalEventSchemas.operation, event));
  assert.deepEqual(event, {
    ...{ resourceId: openShiftClusterKey, id, kind: "Updating", state: "Updating" },
    currentSteps: ["apiServersReady"],
  });
  const stored = await operations.find(subscriptionId, id, signal);
  assert.ok(stored);
  const asyncOperation = { ...running, status: "Succeeded" as const, endTime: startTime };
  await commit(replace(operations, stored, { ...document, asyncOperation }));
  while (fleet.inFlight.length > 0) await once(arrived, "event", { signal });
});
