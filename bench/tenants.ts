import { randomUUID } from "node:crypto";
import { createHistogram } from "node:perf_hooks";
import { setTimeout as delay } from "node:timers/promises";
import { CloudError } from "@keelson/arm";
import { startBackend } from "@keelson/backend";
import { silentLogger, systemClock } from "@keelson/base";
import { putSubscription, startWorld, type World } from "@keelson/cluster/testing";
import { create, postgresDriver, unchanged } from "@keelson/database";
import { type PostgresServer, startPostgres } from "@keelson/database/testing";
import { type ClusterDocument, clusterKeys, type ServiceDatabase } from "@keelson/model";
import { newCluster } from "@keelson/model/testing";
import { openBenchDatabase } from "./support/open-database.ts";
import type { BenchOption } from "./support/options.ts";
import { figure, printTable } from "./support/table.ts";

export const tenantsOptions = {
  seconds: { value: "N", help: "duration of each row, in seconds", least: 5, initial: "30" },
} satisfies Record<string, BenchOption>;

const normalTenants = 20;
/**
 * Operation durations in milliseconds: `normalMs` for normal subscriptions, `greedyMs` for the greedy one. `everyMs` is the mean
 * interval between two operations of a normal subscription.
 */
const normalMs = 1_000;
const greedyMs = 10_000;
const everyMs = 1_000;
const defaults = { running: 25, queued: 250 };

interface Limits {
  readonly running: number;
  readonly queued: number;
}

/**
 * Measures the time from the request of an operation until a worker starts it, for 20 normal subscriptions. Measures first
 * without and then with a greedy subscription, which keeps its queue full of long operations.
 */
export async function benchTenants(given: Readonly<Record<string, string>>): Promise<void> {
  const seconds = Number(given.seconds ?? tenantsOptions.seconds.initial);
  await using world = await startWorld();
  await using server = await startPostgres();
  const rows = [
    ["20 normal subscriptions, 100 workers", "operations", "p50 ms", "p95 ms", "max ms", "ratio of p95"],
  ];
  let baseline = 0;
  const measure = async (name: string, hasGreedy: boolean, limits: Limits) => {
    const waits = await waitsOf(world, server, { seconds, hasGreedy, limits });
    const p95 = waits.percentile(95);
    baseline ||= p95;
    rows.push([
      name,
      `${waits.count}`,
      figure(waits.percentile(50)),
      figure(p95),
      figure(waits.max),
      figure(p95 / baseline),
    ]);
  };
  await measure("alone", false, defaults);
  await measure("beside a greedy one", true, defaults);
  await measure("beside a greedy one without maxima: turns alone", true, { running: 1_000, queued: 10_000 });
  printTable(rows);
}

interface Run {
  readonly seconds: number;
  readonly hasGreedy: boolean;
  readonly limits: Limits;
}

async function waitsOf(world: World, server: PostgresServer, { seconds, hasGreedy, limits }: Run) {
  const waits = createHistogram();
  const greedy = randomUUID();
  const normal = Array.from({ length: normalTenants }, () => randomUUID());
  await using database = await openBenchDatabase(postgresDriver({ url: await server.createDatabase() }));
  for (const id of [greedy, ...normal]) await putSubscription(database, id);
  const stop = AbortSignal.timeout(seconds * 1_000);
  await using _ = await startBackend({
    database: withDurations(database, greedy, waits),
    environment: {
      ...world.environment,
      connectAzureAs(): never {
        throw new CloudError(
          "InvalidServicePrincipalPermissions",
          "An operation of this benchmark ends here.",
        );
      },
    },
    runningPerSubscription: limits.running,
    drainMs: 0,
    clock: systemClock,
    logger: silentLogger,
  });
  const max = limits.running + limits.queued;
  const keepFull = async () => {
    while (!stop.aborted) if (!(await queue(database, greedy, max))) await pause(100, stop);
  };
  const nowAndThen = async (subscriptionId: string) => {
    while (!stop.aborted) {
      await pause(Math.random() * 2 * everyMs, stop);
      if (!stop.aborted) await queue(database, subscriptionId, max);
    }
  };
  await Promise.all([...(hasGreedy ? [keepFull()] : []), ...normal.map(nowAndThen)]);
  return waits;
}

const pause = (ms: number, signal: AbortSignal) => delay(ms, undefined, { signal }).catch(() => undefined);

/**
 * Returns a database that records the time for which operations of normal subscriptions wait. To simulate the duration of an
 * operation, the read of its subscription takes that long.
 */
function withDurations(
  database: ServiceDatabase,
  greedy: string,
  waits: ReturnType<typeof createHistogram>,
): ServiceDatabase {
  const { clusters, subscriptions } = database.collections;
  return {
    ...database,
    collections: {
      ...database.collections,
      clusters: {
        ...clusters,
        async acquire(options) {
          const all = await clusters.acquire(options);
          for (const { document, attempt } of all) {
            if (document.partitionKey === greedy || attempt > 1) continue;
            waits.record(Math.max(1, Date.now() - Date.parse(document.correlationData?.requestTime ?? "")));
          }
          return all;
        },
      },
      subscriptions: {
        ...subscriptions,
        async find(partitionKey, id, signal) {
          await pause(partitionKey === greedy ? greedyMs : normalMs, signal);
          return subscriptions.find(partitionKey, id, signal);
        },
      },
    },
  };
}

/** Queues an operation like the frontend. False if the subscription has reached its limit. */
async function queue(database: ServiceDatabase, subscriptionId: string, max: number): Promise<boolean> {
  const { clusters, subscriptions } = database.collections;
  const signal = new AbortController().signal;
  const subscription = await subscriptions.find(subscriptionId, subscriptionId, signal);
  if (!subscription) throw new Error(`subscription ${subscriptionId} is missing`);
  const id = randomUUID();
  const cluster = newCluster({ name: `c-${id}`, subscriptionId });
  const document: ClusterDocument = {
    ...clusterKeys(cluster),
    id,
    partitionKey: subscriptionId,
    bucket: 0,
    correlationData: { requestId: id, operationId: id, requestTime: new Date().toISOString() },
    openShiftCluster: cluster,
  };
  const queueLimit = { collection: clusters.definition.name, max };
  const writes = [create(clusters, document), unchanged(subscriptions, subscription)];
  const { kind } = await database.commit(subscriptionId, writes, { queueLimit, signal });
  if (kind !== "committed" && kind !== "queue-full") throw new Error(`the operation was not queued: ${kind}`);
  return kind === "committed";
}
