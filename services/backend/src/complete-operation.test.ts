import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createLogger, Metrics, silentLogger } from "@keelson/base";
import {
  acquireCluster,
  guardOf,
  hurriedClock,
  newCluster,
  openStore,
  operationEnd,
  putCluster,
  putSubscription,
  readCluster,
} from "@keelson/cluster/testing";
import { create, errors } from "@keelson/database";
import type { ServiceDatabase } from "@keelson/model";
import { backendMetrics } from "./backend-metrics.ts";
import { completeOperation } from "./complete-operation.ts";

const subscriptionId = "00000000-0000-0000-0000-000000000001";
let database: ServiceDatabase;
before(async () => {
  database = await openStore();
  await putSubscription(database, subscriptionId);
});
after(() => database[Symbol.asyncDispose]());

/** Queues a cluster creation. The first `failures` commits of the operation's result fail with the error from `failure`. */
async function creation(name: string, failure: () => Error, failures = Number.POSITIVE_INFINITY) {
  const cluster = newCluster({ name, subscriptionId });
  const queued = await putCluster(database, cluster);
  const stored = await acquireCluster(database, name);
  const guard = guardOf(stored);
  const registry = new Metrics();
  const lines: string[] = [];
  let commits = 0;
  const failing: ServiceDatabase = {
    ...database,
    commit: async (...args) => {
      if (++commits <= failures) throw failure();
      return database.commit(...args);
    },
  };
  return {
    queued,
    guard,
    id: cluster.id,
    commits: () => commits,
    lines,
    exposed: async () => (await registry.expose()).body,
    complete: () =>
      completeOperation({
        database: failing,
        guard,
        stored,
        operationId: queued.operationId,
        outcome: {},
        buildId: "",
        clock: hurriedClock(),
        logger: createLogger({ level: "info", destination: { write: (line) => void lines.push(line) } }),
        metrics: backendMetrics(registry),
      }),
    release: () => database.collections.clusters.release(stored.lease, { backoffMs: 3_600_000, signal }),
  };
}
const signal = AbortSignal.timeout(900_000);

test("failures of an unknown kind are retried, logged and counted", async () => {
  const operation = await creation("recovers", () => new TypeError("x is not a function"), 3);
  await operation.complete();
  const { asyncOperation } = await operationEnd(database, operation.queued);
  assert.equal(asyncOperation.status, "Succeeded");
  assert.equal(operation.lines.filter((line) => line.includes("x is not a function")).length, 3);
  assert.match(await operation.exposed(), /failures_total\{stage="complete",code="Unexpected"\} 3/);
});

test("permanent failures of an unknown kind end the attempt, also with a valid lease", async () => {
  const operation = await creation("fails", () => new TypeError("x is not a function"));
  await assert.rejects(operation.complete(), { name: "TypeError" });
  assert.equal(operation.commits(), 12);
  const cluster = await readCluster(database, operation.id);
  assert.equal(cluster?.properties.provisioningState, "Creating");
  await operation.release();
});

test("an unavailable database is waited for as long as the lease lasts", async () => {
  const operation = await creation("waits", () => errors.StoreUnavailable("no connection"), 40);
  await operation.complete();
  assert.equal(operation.commits(), 41);
  const { asyncOperation } = await operationEnd(database, operation.queued);
  assert.equal(asyncOperation.status, "Succeeded");
});

test("a permanent failure is not retried", async () => {
  const operation = await creation("never", () => errors.InvalidWrite("too large"));
  await assert.rejects(operation.complete(), { name: "InvalidWrite" });
  assert.equal(operation.commits(), 1);
  await operation.release();
});

test("the end of a deletion removes the health of the cluster", async () => {
  const cluster = newCluster({ name: "observed", subscriptionId, state: "Deleting" });
  const queued = await putCluster(database, cluster);
  const stored = await acquireCluster(database, "observed");
  const { id, partitionKey, key } = stored.document;
  const { clusterHealth } = database.collections;
  const none = { count: 0, names: [] };
  const health = {
    id,
    partitionKey,
    clusterKey: key,
    observedAt: "2026-01-01T00:00:00Z",
    summary: {
      apiServer: 200,
      unavailableOperators: none,
      degradedOperators: none,
      notReadyNodes: none,
      nodes: 6,
      criticalAlerts: none,
      warningAlerts: none,
    },
    changes: [],
  };
  await database.commit(partitionKey, [create(clusterHealth, health)], { signal });
  await completeOperation({
    database,
    guard: guardOf(stored),
    stored,
    operationId: queued.operationId,
    outcome: {},
    buildId: "",
    clock: hurriedClock(),
    logger: silentLogger,
    metrics: backendMetrics(new Metrics()),
  });
  assert.equal(await clusterHealth.find(partitionKey, id, signal), undefined);
  assert.equal(await readCluster(database, cluster.id), undefined);
});
