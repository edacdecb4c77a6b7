import { setTimeout as delay } from "node:timers/promises";
import type { StandIn } from "../../services/monitor/src/testing/stand-ins/stand-in.ts";
import type { StandInCounts } from "../../services/monitor/src/testing/stand-ins/stand-in-clusters.ts";
import { type Child, startChild } from "../support/child-process.ts";
import { cpuMsOf, residentMb } from "../support/cpu-time.ts";
import type { BenchOption } from "../support/options.ts";
import { figure, printTable } from "../support/table.ts";
import type { MonitorState } from "./monitor-process.ts";
import { originalLists } from "./original-pass.ts";

export const monitorOptions: Readonly<Record<string, BenchOption>> = {
  clusters: { value: "N", help: "number of clusters of the monitor", least: 1, initial: "200" },
  minutes: { value: "N", help: "duration of the measurement, in minutes", least: 1, initial: "2" },
};

/** Warm-up in milliseconds. The first scrape of each cluster starts within a minute. */
const warmUpMs = 75_000;

/**
 * Measures one monitor with many clusters. A second process simulates the clusters and returns prepared responses with the size
 * of real ones. Checks that each cluster is scraped once per minute. Compares the cost of a scrape with the cost of the original
 * monitor's list requests.
 */
export async function benchMonitor({
  clusters = "200",
  minutes = "2",
}: Readonly<Record<string, string>>): Promise<void> {
  const count = Number(clusters);
  const periodMs = Number(minutes) * 60_000;
  await using standIns = await startChild(new URL("stand-in-process.ts", import.meta.url), []);
  const standIn: StandIn = JSON.parse(await standIns.line());
  const countsNow = async (): Promise<StandInCounts> => {
    standIns.ask();
    return JSON.parse(await standIns.line());
  };
  const before = await countsNow();
  await originalLists(standIn, AbortSignal.timeout(60_000));
  const original = since(before, await countsNow());

  await using monitor = await startChild(new URL("monitor-process.ts", import.meta.url), [
    clusters,
    JSON.stringify(standIn),
  ]);
  await monitor.line();
  const idleMb = residentMb(monitor.pid);
  await delay(warmUpMs);
  const [first, counted, cpu] = [await stateOf(monitor), await countsNow(), cpuMsOf(monitor.pid)];
  await delay(periodMs);
  const used = cpuMsOf(monitor.pid) - cpu;
  const [last, asked] = [await stateOf(monitor), since(counted, await countsNow())];
  const made = Object.entries(last.passes).map(([name, passes]) => passes - (first.passes[name] ?? 0));
  const passes = made.reduce((sum, each) => sum + each, 0);
  printTable([
    [`${count} clusters, ${minutes} min`, "visited", "passes", "fewest", "most", "failures", "figures"],
    [
      "one monitor",
      `${made.filter((each) => each > 0).length}`,
      `${passes}`,
      `${made.length === count ? Math.min(...made) : 0}`,
      `${Math.max(...made)}`,
      `${last.failures.length}`,
      `${last.samples - first.samples}`,
    ],
  ]);
  printTable([
    ["CPU ms a pass", "resident MB", "live heap MiB", "KiB of it a cluster"],
    [
      figure(used / passes),
      figure(residentMb(monitor.pid)),
      figure(last.liveMib),
      figure((last.liveMib * 1_024) / count),
    ].map(String),
  ]);
  printTable([
    ["a pass costs the cluster", "requests", "KB", "connections"],
    ["this monitor, all", ...perPass(asked, passes)],
    ["the original's lists alone", ...perPass(original, 1)],
  ]);
  if (last.failures.length > 0) process.stdout.write(`failures: ${[...new Set(last.failures)].join(", ")}\n`);
  process.stdout.write(`resident before the first pass: ${figure(idleMb)} MB\n\n`);
}

function perPass({ requests, bytes, connections }: StandInCounts, passes: number): string[] {
  return [requests / passes, bytes / 1_000 / passes, connections / passes].map(figure);
}

function since(before: StandInCounts, now: StandInCounts): StandInCounts {
  return {
    requests: now.requests - before.requests,
    bytes: now.bytes - before.bytes,
    connections: now.connections - before.connections,
  };
}

async function stateOf(monitor: Child): Promise<MonitorState> {
  monitor.ask();
  return JSON.parse(await monitor.line());
}
