import process from "node:process";
import { setTimeout as delay } from "node:timers/promises";
import type { StandIn } from "../../services/monitor/src/testing/stand-ins/stand-in.ts";
import { startChild } from "../support/child-process.ts";
import { InspectedProcess } from "../support/inspected-process.ts";
import { median } from "../support/median.ts";
import { type BenchOption, optionReader } from "../support/options.ts";
import { figure, printTable } from "../support/table.ts";
import { exceededLimits, type Figures, measure, provoke } from "./probes.ts";
import { addClusters, type Region, settled, startRegion } from "./region.ts";

export const hostileClustersOptions = {
  healthy: { value: "N", help: "number of healthy clusters", least: 1, initial: "45" },
  hostile: { value: "N", help: "number of hostile clusters", least: 1, initial: "5" },
  baseline: {
    value: "MINUTES",
    help: "duration of the measurement without hostile clusters, in minutes",
    least: 0,
    initial: "5",
  },
  minutes: {
    value: "MINUTES",
    help: "duration of the measurement with hostile clusters, in minutes",
    least: 0,
    initial: "30",
  },
  settled: {
    value: "MINUTES",
    help: "minutes of the second measurement that pass before memory is compared",
    least: 0,
    initial: "10",
  },
  patches: { value: "N", help: "number of PATCH operations in each phase", least: 1, initial: "10" },
} satisfies Record<string, BenchOption>;

/** Number of PATCH rounds. The result is the median of the rounds. */
const patchRounds = 3;
/** Duration of the warm-up in milliseconds. During this time, V8 compiles the service's code. */
const warmUpMs = 15_000;
/** Maximum delay in milliseconds until the first scrape of a cluster. */
const scrapeMs = 60_000;
/**
 * Maximum length in milliseconds of each of the two periods that are compared for memory growth. Both periods begin with a forced
 * garbage collection. Without it, the values would depend on the time since V8's last collection, which may be 20 minutes ago.
 */
const longestWindowMs = 300_000;

/**
 * Measures healthy clusters, first alone and then together with hostile clusters. Measures GET requests, the portal's list, PATCH
 * operations and the monitor's scrapes. Memory is reported per process.
 */
export async function benchHostileClusters(given: Readonly<Record<string, string>>): Promise<void> {
  const textOf = optionReader(hostileClustersOptions, given);
  const option = (name: keyof typeof hostileClustersOptions) => Number(textOf(name));
  const minutes = (name: keyof typeof hostileClustersOptions) => option(name) * 60_000;
  const names = Array.from({ length: option("healthy") }, (_, at) => `healthy${at}`);
  await using servers = await startChild(new URL("hostile-servers.ts", import.meta.url), []);
  const places: readonly StandIn[] = JSON.parse(await servers.line());
  await using region = await startRegion(names);
  note("clusters are created");
  const patched = names.slice(0, option("patches"));
  const phase = async (durationMs: number, round: string) => {
    const figures = await measure(region, names, durationMs);
    // Measures the remaining heap before the PATCH operations, because the Azure clients that these operations create remain in
    // memory for minutes.
    const live = await liveMib(region);
    const patchMs: number[] = [];
    for (let at = 0; at < patchRounds; at++) patchMs.push(await patchAll(region, patched, `${round}-${at}`));
    return { figures, live, patchMs: median(patchMs) };
  };
  await measure(region, names, warmUpMs);
  await patchAll(region, patched, "first");
  const before = await phase(minutes("baseline"), "before");
  note("the baseline is measured");
  const stop = new AbortController();
  const hostile = await addClusters(region, places, option("hostile"));
  const provoked = provoke(region, hostile, stop.signal);
  const windowMs = Math.min(longestWindowMs, minutes("minutes") / 6);
  const settledLive = delay(minutes("settled")).then(() => liveMib(region));
  const lastCollection = delay(minutes("minutes") - windowMs).then(() => liveMib(region));
  const beside = await phase(minutes("minutes"), "beside");
  const growth = { first: await settledLive, last: beside.live };
  await lastCollection;
  stop.abort();
  await provoked;
  const ratio = (name: string, unit: string, alone: number, together: number) => [
    name,
    `${figure(alone)} ${unit}`,
    `${figure(together)} ${unit}`,
    figure(together / alone),
    "1.5",
  ];
  const p99Of = (microseconds: Figures["gets"]) => microseconds.percentile(99) / 1_000;
  printTable([
    [
      `${names.length} healthy clusters`,
      "alone",
      `beside ${hostile.length} hostile ones`,
      "ratio",
      "at most",
    ],
    ratio("ARM GET, p99", "ms", p99Of(before.figures.gets), p99Of(beside.figures.gets)),
    ratio("portal's cluster list, p99", "ms", p99Of(before.figures.lists), p99Of(beside.figures.lists)),
    ratio(`${patched.length} PATCH operations`, "s", before.patchMs / 1_000, beside.patchMs / 1_000),
  ]);
  const counts = [...beside.figures.scrapes.values()];
  printTable([
    ["scrapes of a healthy cluster", "fewest", "most", "at least"],
    [
      `in ${option("minutes")} min beside hostile ones`,
      `${Math.min(...counts)}`,
      `${Math.max(...counts)}`,
      `${Math.max(0, Math.floor(minutes("minutes") / scrapeMs) - 1)}`,
    ],
  ]);
  const exceeded = await exceededLimits(region);
  printTable([["responses of hostile clusters beyond a limit", "count"], ...exceeded]);
  printMemory(region, beside.figures, { settledS: option("settled") * 60, windowS: windowMs / 1_000 });
  printTable([
    ["live memory", `after ${option("settled")} min, MiB`, "at the end, MiB", "growth %", "at most"],
    ...region.processes.map(({ name }, at) =>
      growthRow(name, growth.first[at] ?? Number.NaN, growth.last[at] ?? Number.NaN),
    ),
  ]);
}

/** Collects garbage in each process. Returns the remaining heap and buffers in MiB. */
async function liveMib({ processes }: Region): Promise<readonly number[]> {
  const live: number[] = [];
  for (const { pid } of processes) {
    await using inspected = await InspectedProcess.connect(pid);
    live.push(await inspected.liveMib());
  }
  return live;
}

function growthRow(name: string, first: number, last: number): readonly string[] {
  return [name, figure(first), figure(last), figure((last / first - 1) * 100), "5"];
}

function printMemory(
  { processes }: Region,
  { memory }: Figures,
  { settledS, windowS }: { readonly settledS: number; readonly windowS: number },
): void {
  const endS = memory.at(-1)?.atS ?? 0;
  const medianFrom = (fromS: number, at: number) =>
    median(memory.filter(({ atS }) => atS >= fromS && atS <= fromS + windowS).map(({ mb }) => mb[at] ?? 0));
  printTable([
    [
      "resident memory",
      `after ${settledS / 60} min, MB`,
      `after ${figure(endS / 60)} min, MB`,
      "growth %",
      "at most",
    ],
    ...processes.map(({ name }, at) =>
      growthRow(name, medianFrom(settledS, at), medianFrom(endS - windowS, at)),
    ),
  ]);
}

/** Starts one operation per cluster. Returns the milliseconds until all operations have succeeded. */
async function patchAll({ client }: Region, names: readonly string[], round: string): Promise<number> {
  const beganMs = performance.now();
  const path = (name: string) => `${client.cluster(name)}?api-version=2025-07-25`;
  await settled(
    client,
    await Promise.all(names.map((name) => client.call("PATCH", path(name), { tags: { round } }))),
  );
  return performance.now() - beganMs;
}

function note(text: string): void {
  process.stderr.write(`${new Date().toISOString()} ${text}\n`);
}
