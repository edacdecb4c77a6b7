import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
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
