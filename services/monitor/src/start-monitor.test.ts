import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { Metrics, type Sample, silentLogger, systemClock } from "@keelson/base";
import { until } from "@keelson/base/testing/eventually";
import { openStore, putSubscription } from "@keelson/cluster/testing";
import { create, replace } from "@keelson/database";
import { type ClusterDocument, type ServiceDatabase, withProperties } from "@keelson/model";
import type { ClusterAccess } from "./fleet/cluster-access.ts";
import { type Monitor, type MonitorOptions, startMonitor } from "./start-monitor.ts";
import { clusterDocument, stubKube, subscriptionId } from "./testing/watched-cluster.ts";

const signal = AbortSignal.timeout(900_000);
let database: ServiceDatabase;
before(async () => {
  database = await openStore();
});
after(() => database[Symbol.asyncDispose]());

async function put(document: ClusterDocument): Promise<ClusterDocument> {
  const { clusters } = database.collections;
  const stored = await clusters.find(document.partitionKey, document.id, signal);
  const write = stored ? replace(clusters, stored, document) : create(clusters, document);
  const { kind } = await database.commit(document.partitionKey, [write], { signal });
  assert.equal(kind, "committed");
  return document;
}

const inBucket = (bucket: number, subscription = subscriptionId): ClusterDocument => ({
  ...clusterDocument(`c-${randomUUID()}`),
  partitionKey: subscription,
  bucket,
});

interface Watching {
  readonly monitor: Monitor;
  /** Names of the clusters for which metrics were sent, in order. */
  readonly seen: string[];
}

function watching(access: Partial<ClusterAccess> = {}, options: Partial<MonitorOptions> = {}): Watching {
  const seen: string[] = [];
  const sink = {
    send: ({ metric, dimensions: { resourceName = "" } }: Sample) => {
      if (metric === "apiserver.healthz.code") seen.push(resourceName);
    },
  };
  const monitor = startMonitor({
    database,
    access: {
      kube: () => stubKube({}).kube,
      azure: () => {
        throw new Error("no Azure in this test");
      },
      ...access,
    },
    buildId: "b",
    zone: "example.org",
    everyMs: 400,
    heartbeatMs: 50,
    clusterSink: sink,
    clock: systemClock,
    logger: silentLogger,
    metrics: new Metrics(),
    ...options,
  });
  return { monitor, seen };
}

function recording(sent: string[]): Metrics {
  const metrics = new Metrics();
  metrics.listen(({ metric, dimensions }) => sent.push(`${metric} ${dimensions.resourceId}`));
  return metrics;
}

test("acceptance 2: clusters are watched from their creation, and not during their deletion", async () => {
  await putSubscription(database, subscriptionId);
  const { monitor, seen } = watching();
  await using _ = monitor;
  await until(() => monitor.ready(), "ready");
  const document = await put(inBucket(1));
  const { name } = document.openShiftCluster;
  await until(() => seen.includes(name), "watched");
  const state = (provisioningState: "Deleting" | "Succeeded") =>
    put({ ...document, openShiftCluster: withProperties(document.openShiftCluster, { provisioningState }) });
  await state("Deleting");
  await until(() => !monitor.watched.includes(document.id), "left alone while it is deleted");
  seen.length = 0;
  await state("Succeeded");
  await until(() => seen.includes(name), "watched again");
});

test("acceptance 3: clusters of a suspended subscription are not watched, until it is registered again", async () => {
  const other = randomUUID();
  await putSubscription(database, other);
  const { monitor, seen } = watching();
  await using _ = monitor;
  const document = await put(inBucket(2, other));
  const { name } = document.openShiftCluster;
  await until(() => seen.includes(name), "watched");
  const state = async (next: "Suspended" | "Registered") => {
    const { subscriptions } = database.collections;
    const stored = await subscriptions.find(other, other, signal);
    assert.ok(stored);
    const subscription = { ...stored.document.subscription, state: next };
    await database.commit(other, [replace(subscriptions, stored, { ...stored.document, subscription })], {
      signal,
    });
  };
  await state("Suspended");
  let quiet = 0;
  // Collections that are already running may still send metrics.
  await until(() => {
    quiet = seen.includes(name) ? 0 : quiet + 1;
    seen.length = 0;
    return quiet > 20;
  }, "left alone");
  await state("Registered");
  await until(() => seen.includes(name), "watched again");
});

test("acceptance 1: monitors share the clusters, and take over those of a stopped monitor", async () => {
  await putSubscription(database, subscriptionId);
  const documents = await Promise.all(Array.from({ length: 16 }, (_, at) => put(inBucket(at * 15))));
  const first = watching();
  await using one = first.monitor;
  const second = watching();
  const two = second.monitor;
  const ids = documents.map(({ id }) => id);
  const split = () => {
    const [a, b] = [one, two].map(({ watched }) => new Set(watched.filter((id) => ids.includes(id))));
    return a && b && a.size > 0 && b.size > 0 && a.size + b.size === 16 && a.isDisjointFrom(b);
  };
  await until(() => split() === true, "shared");
  await two[Symbol.asyncDispose]();
  await until(() => ids.every((id) => one.watched.includes(id)), "taken over");
});

test("acceptance 9: a pass with requests that ignore its abort ends and is reported, and the next one begins", async () => {
  await putSubscription(database, subscriptionId);
  const document = await put(inBucket(3));
  const { name, id } = document.openShiftCluster;
  const sent: string[] = [];
  let passes = 0;
  const { kube } = stubKube({});
  const hanging = { ...kube, statusCode: () => new Promise<number>(() => {}) };
  const { monitor } = watching(
    {
      kube: (asked) => {
        if (asked.openShiftCluster.name !== name) return kube;
        passes++;
        return hanging;
      },
    },
    {
      passLimitMs: 30,
      graceMs: 20,
      metrics: recording(sent),
    },
  );
  await using _ = monitor;
  await until(() => passes > 1, "a second pass");
  assert.ok(sent.includes(`monitor.main.timedout ${id}`));
});

test("an unreachable cluster is a metric, not only a log line", async () => {
  await putSubscription(database, subscriptionId);
  const document = await put(inBucket(4));
  const sent: string[] = [];
  const { monitor } = watching(
    {
      kube: () => {
        throw new Error("no kubeconfig");
      },
    },
    { metrics: recording(sent) },
  );
  await using _ = monitor;
  await until(() => sent.includes(`monitor.main.notreached ${document.openShiftCluster.id}`), "said");
});

test("changed health of a cluster is stored immediately, with its changes", async () => {
  await putSubscription(database, subscriptionId);
  const document = await put(inBucket(5));
  const { clusterHealth } = database.collections;
  const stored = async () => (await clusterHealth.find(document.partitionKey, document.id, signal))?.document;
  let code = 200;
  const { monitor } = watching({
    kube: ({ id }) => stubKube(id === document.id ? { codes: { "/healthz": code } } : {}).kube,
  });
  await using _ = monitor;
  const reaches = async (state: string) => {
    for (;;) {
      const health = await stored();
      if (health?.changes[0]?.state === state) return health;
      await delay(10);
    }
  };
  const first = await reaches("Available");
  assert.equal(first.clusterKey, document.key);
  assert.equal(first.summary.apiServer, 200);
  code = 500;
  const second = await reaches("Unavailable");
  assert.equal(second.summary.apiServer, 500);
  assert.deepEqual(
    second.changes.map(({ state }) => state),
    ["Unavailable", "Available"],
  );
});
