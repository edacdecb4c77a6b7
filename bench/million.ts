import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createHistogram } from "node:perf_hooks";
import process from "node:process";
import { type Lease, postgresDriver, replace } from "@keelson/database";
import { startPostgres } from "@keelson/database/testing";
import type { ServiceDatabase } from "@keelson/model";
import pg from "pg";
import { exampleRequest, variablesFor } from "../tests/e2e/support/cluster-request.ts";
import { cpuMsOf, residentMb } from "./support/cpu-time.ts";
import { liveHeapMibOf } from "./support/inspected-process.ts";
import { openBenchDatabase } from "./support/open-database.ts";
import { figure, printTable } from "./support/table.ts";
import { timed } from "./support/timed.ts";

const clustersPerSubscription = 1_000;
/** Number of queued documents. In the queue, they come after the same number of leased documents. */
const queued = 5_000;
const signal = new AbortController().signal;

/**
 * Measures sequential reads and queue operations with a million cluster documents in PostgreSQL. `CLUSTERS=N` sets a different
 * number.
 */
export async function benchMillion(): Promise<void> {
  const count = Number(process.env.CLUSTERS ?? 1_000_000);
  await using server = await startPostgres();
  const url = await server.createDatabase();
  const [pid = ""] = readFileSync(join(server.dataDirectory, "postmaster.pid"), "utf8").split("\n");
  await using database = await openBenchDatabase(postgresDriver({ url }));
  await using worker = await openBenchDatabase(postgresDriver({ url }));
  const loadMs = await load(url, count);
  const { clusters } = database.collections;
  const random = (below: number) => Math.floor(Math.random() * below);
  const rows: string[][] = [
    [
      `${count} clusters on PostgreSQL`,
      "p50 ms",
      "p99 ms",
      "max ms",
      "database us",
      "live heap MiB",
      "resident MB",
    ],
  ];
  const measure = async (
    name: string,
    times: number,
    action: () => Promise<unknown>,
    undo: () => Promise<unknown> = async () => undefined,
  ) => {
    const latency = createHistogram();
    for (let i = 0; i < times / 10; i++) {
      await action();
      await undo();
    }
    const cpu = cpuMsOf(Number(pid), { children: true });
    for (let i = 0; i < times; i++) {
      await timed(latency, action);
      await undo();
    }
    const cpuUs = ((cpuMsOf(Number(pid), { children: true }) - cpu) / times) * 1000;
    const ms = [latency.percentile(50), latency.percentile(99), latency.max].map((ns) => figure(ns / 1e6));
    const liveMib = await liveHeapMibOf(process.pid);
    rows.push([name, ...ms, figure(cpuUs), figure(liveMib), figure(residentMb(process.pid))]);
  };
  await measure("GET by key", 20_000, async () => {
    const n = random(count);
    const found = await clusters.findBy(subscriptionOf(n), "key", keyOf(n), signal);
    if (!found) throw new Error(`cluster ${n} is missing`);
  });
  await measure("LIST 10, first page", 5_000, () =>
    clusters.list({ partitionKey: subscriptionOf(random(count)), orderBy: "key", limit: 10 }, signal),
  );
  const middle = await clusters.list({ orderBy: "key", limit: 10 }, signal);
  let continuation = middle.continuation ?? "";
  await measure("LIST 10 of all, page by page", 5_000, async () => {
    const page = await clusters.list({ orderBy: "key", limit: 10, continuation }, signal);
    continuation = page.continuation ?? middle.continuation ?? "";
  });
  let lease: Lease | undefined;
  await measure(
    "dequeue, one of many waiting",
    2_000,
    async () => {
      lease = await dequeue(database);
    },
    async () => lease && giveBack(database, lease),
  );
  const changes = worker.changes(signal)[Symbol.asyncIterator]();
  await changes.next();
  await measure("commit, notify a listener, dequeue there", 500, async () => {
    const n = 2 * queued + random(count - 2 * queued);
    const stored = await clusters.findBy(subscriptionOf(n), "key", keyOf(n), signal);
    if (!stored) throw new Error(`cluster ${n} is missing`);
    await database.commit(subscriptionOf(n), [replace(clusters, stored, stored.document)], { signal });
    // Skips the change notifications of earlier `giveBack` calls, until the notification of this commit arrives.
    for (;;) {
      const { value: change } = await changes.next();
      if (change?.kind === "changed" && change.id === stored.document.id) break;
    }
    await giveBack(worker, await dequeue(worker));
  });
  await measure("queue length", 100, () => clusters.queueLength(signal));
  await measure("GET by key, again", 20_000, () => {
    const n = random(count);
    return clusters.findBy(subscriptionOf(n), "key", keyOf(n), signal);
  });
  printTable(rows);
  process.stdout.write(`loaded in ${figure(loadMs / 1000)} s\n\n`);
}

async function dequeue({ collections: { clusters } }: ServiceDatabase): Promise<Lease> {
  const [leased] = await clusters.acquire({ owner: "bench", ttlMs: 60_000, limit: 1, signal });
  if (!leased) throw new Error("the queue is empty");
  return leased.lease;
}

/** Returns a document to the queue with a back-off, so that the next measured dequeue does not return the same document. */
function giveBack({ collections: { clusters } }: ServiceDatabase, lease: Lease): Promise<void> {
  return clusters.release(lease, { backoffMs: 600_000, signal });
}

const subscriptionPrefix = "00000000-0000-4000-8000-";

function subscriptionOf(n: number): string {
  return subscriptionPrefix + `${Math.floor(n / clustersPerSubscription)}`.padStart(12, "0");
}

function keyOf(n: number): string {
  return `/subscriptions/${subscriptionOf(n)}/resourcegroups/g/providers/microsoft.redhatopenshift/openshiftclusters/c${n}`;
}

/** Inserts copies of one document with a single SQL statement and without triggers. Returns the duration in milliseconds. */
async function load(url: string, count: number): Promise<number> {
  const began = performance.now();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const requested: { properties?: object } = exampleRequest(
    "20250725",
    variablesFor("CLUSTER", "SUBSCRIPTION"),
  );
  // Removes secrets because workers reject documents with unencrypted secrets.
  const withoutSecrets = { servicePrincipalProfile: undefined, clusterProfile: { version: "4.19.24" } };
  const properties = { ...requested.properties, ...withoutSecrets, provisioningState: "Succeeded" };
  const openShiftCluster = { ...requested, properties };
  const body = { id: "CLUSTER", partitionKey: "SUBSCRIPTION", key: "KEY", openShiftCluster };
  await client.query("alter table openshift_clusters disable trigger user");
  await client.query(
    `insert into openshift_clusters (partition_key, id, etag, body, updated_at, key, cluster_resource_group_id_key,
       client_id_key, sealed_key_id, queue_position, queued_at, lease_owner, lease_expires)
     select subscription, cluster, nextval('document_etag'),
       replace(replace(replace($1, 'CLUSTER', cluster), 'SUBSCRIPTION', subscription), 'KEY', key)::json,
       now(), key, '/subscriptions/' || subscription || '/resourcegroups/aro-' || cluster, 'client-' || n, 'bench',
       case when queued then nextval('queue_position') end, case when queued then now() end,
       case when queued and n % 2 = 0 then 'other' end, case when queued and n % 2 = 0 then now() + interval '1 day' end
     from (
       select n, 'c' || n as cluster, $2 || lpad((n / ${clustersPerSubscription})::text, 12, '0') as subscription,
         '/subscriptions/' || $2 || lpad((n / ${clustersPerSubscription})::text, 12, '0') ||
           '/resourcegroups/g/providers/microsoft.redhatopenshift/openshiftclusters/c' || n as key,
         n < ${2 * queued} as queued
       from generate_series(0, $3 - 1) n
     ) made`,
    [JSON.stringify(body), subscriptionPrefix, count],
  );
  await client.query("alter table openshift_clusters enable trigger user");
  await client.query("vacuum analyze openshift_clusters");
  await client.end();
  return performance.now() - began;
}
