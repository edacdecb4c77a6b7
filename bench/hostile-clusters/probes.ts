import { createHistogram, type RecordableHistogram } from "node:perf_hooks";
import { setTimeout as delay } from "node:timers/promises";
import { request } from "undici";
import { residentMb } from "../support/cpu-time.ts";
import type { Region } from "./region.ts";
import { ScrapeCounts } from "./scrape-counts.ts";

const getPauseMs = 200;
const listPauseMs = 500;
const getters = 4;
const sampleMs = 5_000;

export interface Figures {
  readonly gets: RecordableHistogram;
  readonly lists: RecordableHistogram;
  /** Number of scrapes by cluster name. */
  readonly scrapes: ReadonlyMap<string, number>;
  /** Resident memory of each process in MB, with the seconds since the start. */
  readonly memory: readonly { readonly atS: number; readonly mb: readonly number[] }[];
}

/** Measures healthy clusters for a period. Records GET requests, the portal's lists, the monitor's scrapes and memory. */
export async function measure(
  region: Region,
  names: readonly string[],
  durationMs: number,
): Promise<Figures> {
  const {
    client,
    portalOrigin,
    cookie,
    metrics: [monitorMetrics = ""],
    processes,
    portalAgent,
  } = region;
  const [gets, lists] = [createHistogram(), createHistogram()];
  const scrapes = new ScrapeCounts(names);
  const memory: { atS: number; mb: number[] }[] = [];
  const startMs = performance.now();
  const repeat = async (pauseMs: number, action: () => Promise<void>) => {
    while (performance.now() - startMs < durationMs) {
      await action();
      await delay(pauseMs);
    }
  };
  const timed = async (histogram: RecordableHistogram, action: () => Promise<number>) => {
    const begunMs = performance.now();
    const status = await action();
    if (status !== 200) throw new Error(`a request returned status ${status}`);
    histogram.record(Math.max(1, Math.round((performance.now() - begunMs) * 1_000)));
  };
  let at = 0;
  const get = () =>
    timed(gets, async () => {
      const name = names[at++ % names.length] ?? "";
      return (await client.call("GET", `${client.cluster(name)}?api-version=2025-07-25`)).status;
    });
  const list = () =>
    timed(lists, async () => {
      const response = await request(`${portalOrigin}/api/clusters`, {
        dispatcher: portalAgent,
        headers: { cookie },
      });
      await response.body.dump();
      return response.statusCode;
    });
  const sample = async () => {
    scrapes.read(await (await request(monitorMetrics)).body.text());
    memory.push({
      atS: (performance.now() - startMs) / 1_000,
      mb: processes.map(({ pid }) => residentMb(pid)),
    });
  };
  await Promise.all([
    ...Array.from({ length: getters }, () => repeat(getPauseMs, get)),
    repeat(listPauseMs, list),
    repeat(sampleMs, sample),
  ]);
  return { gets, lists, scrapes: scrapes.counts, memory };
}

/**
 * Returns the number of times that clusters exceeded response limits. The keys have the form `reader: limit`, with the component
 * that read the response.
 */
export async function exceededLimits({ metrics }: Region): Promise<readonly (readonly [string, string])[]> {
  const counts = new Map<string, number>();
  for (const url of metrics) {
    const exposition = await (await request(url)).body.text();
    for (const [, reader, limit, count] of exposition.matchAll(
      /^monitor_cluster_limit_exceeded_total\{.*reader="(\w+)",limit="(\w+)"\} (\d+)$/gm,
    ))
      counts.set(`${reader}: ${limit}`, (counts.get(`${reader}: ${limit}`) ?? 0) + Number(count));
  }
  return [...counts].map(([name, count]) => [name, `${count}`]);
}

/**
 * Reads the hostile clusters through the ARM API and the portal until the signal aborts, as users and tools do. Ignores the
 * results.
 */
export async function provoke(region: Region, ids: readonly string[], signal: AbortSignal): Promise<void> {
  const { client, portalOrigin, cookie, portalAgent } = region;
  const pages = ["nodes", "machines", "machine-sets", "clusteroperators"];
  const provokeOne = async (id: string) => {
    const [, , subscriptionId, , group, , , , name] = id.split("/");
    for (let round = 0; !signal.aborted; round++) {
      const page = `${portalOrigin}/api/${subscriptionId}/${group}/${name}/${pages[round % pages.length]}`;
      const read = request(page, { dispatcher: portalAgent, headers: { cookie }, signal });
      await Promise.allSettled([
        client.call("GET", `${id}?api-version=2025-07-25`),
        read.then(({ body }) => body.dump()),
      ]);
      await delay(1_000, undefined, { signal }).catch(() => undefined);
    }
  };
  await Promise.all(ids.map(provokeOne));
}
