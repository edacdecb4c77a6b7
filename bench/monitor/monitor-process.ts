/**
 * Runs a monitor in a separate process with an in-memory database. The first argument is the number of documents. Prints its
 * `MonitorState` for each line of standard input.
 */
import process from "node:process";
import { createInterface } from "node:readline";
import { Metrics, type Sample, silentLogger, systemClock } from "@keelson/base";
import { openStore, putSubscription } from "@keelson/cluster/testing";
import { create } from "@keelson/database";
import { ClusterResponses } from "@keelson/kube";
import { clusterAccess, startMonitor } from "@keelson/monitor";
import { type StandIn, standInDocument } from "../../services/monitor/src/testing/stand-ins/stand-in.ts";
import { liveHeapMibOf } from "../support/inspected-process.ts";

export interface MonitorState {
  /** Number of scrapes by cluster name. */
  readonly passes: Readonly<Record<string, number>>;
  readonly samples: number;
  readonly failures: readonly string[];
  readonly liveMib: number;
}

const subscriptionId = "33333333-3333-4333-8333-333333333333";

async function main(count: number, standIn: StandIn): Promise<void> {
  const signal = AbortSignal.timeout(3_600_000);
  await using database = await openStore();
  await putSubscription(database, subscriptionId);
  for (let at = 0; at < count; at++) {
    const document = standInDocument(standIn, at, subscriptionId, at % 256);
    await database.commit(subscriptionId, [create(database.collections.clusters, document)], { signal });
  }
  const passes: Record<string, number> = {};
  const failures: string[] = [];
  let samples = 0;
  const send = ({ metric, dimensions: { resourceName = "", collector = "", code } }: Sample) => {
    samples++;
    if (metric === "apiserver.healthz.code") {
      passes[resourceName] = (passes[resourceName] ?? 0) + 1;
      if (code !== "200") failures.push(`healthz ${code}`);
    }
    if (/\.(error|skipped)$/.test(metric)) failures.push(`${metric} ${collector}`);
  };
  const metrics = new Metrics();
  metrics.listen(({ metric }) => {
    if (metric.startsWith("monitor.main.")) failures.push(metric);
  });
  await using responses = new ClusterResponses({ metrics });
  await using _ = startMonitor({
    database,
    access: clusterAccess({
      responses,
      connectAzure: () => {
        throw new Error("there is no Azure here");
      },
    }),
    buildId: "bench",
    zone: "bench.example",
    clusterSink: { send },
    clock: systemClock,
    logger: silentLogger,
    metrics,
  });
  process.stdout.write("watching\n");
  for await (const _line of createInterface({ input: process.stdin })) {
    const state: MonitorState = { passes, samples, failures, liveMib: await liveHeapMibOf(process.pid) };
    process.stdout.write(`${JSON.stringify(state)}\n`);
  }
}

const [, , count = "1", standIn = "{}"] = process.argv;
if (import.meta.main) await main(Number(count), JSON.parse(standIn));
