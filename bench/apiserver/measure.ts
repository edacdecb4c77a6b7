import { readFileSync } from "node:fs";
import { createHistogram } from "node:perf_hooks";
import type { ControlPlane } from "@keelson/apiserver/testing";
import { BenchClient, type Call, watchLines } from "./client.ts";

const connections = 16;
const listed = 5_000;
const stored = 10_000;
const fanOutMs = 3_000;

/** Measured values by name. The name includes the unit. */
export type Figures = ReadonlyMap<string, number>;

const configMaps = (namespace: string) => `/api/v1/namespaces/${namespace}/configmaps`;

function configMap(name: string, labels: Readonly<Record<string, string>> = {}): string {
  const metadata = { name, labels };
  const data = { "config.yaml": "a: 1\nb: two\n".repeat(10), level: "info" };
  return JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata, data });
}

/** Measures one control plane over HTTPS. The measured memory is the sum of the processes in `processIds`. */
export async function measure(plane: ControlPlane, processIds: readonly number[]): Promise<Figures> {
  const figures = new Map<string, number>();
  await using client = new BenchClient(plane, connections);
  const idle = residentMegabytes(processIds);
  figures.set("resident memory when idle, MB", idle);
  for (const name of ["create", "list", "many", "watch"]) {
    const body = JSON.stringify({ metadata: { name } });
    await client.call({ method: "POST", path: "/api/v1/namespaces", body });
  }
  let made = 0;
  const create =
    (namespace: string, labels?: Readonly<Record<string, string>>) =>
    (n: number): Call => ({
      method: "POST",
      path: configMaps(namespace),
      body: configMap(`c${n}`, labels),
    });
  figures.set("create, 1/s", await client.throughput(() => create("create")(made++)));
  const one = (n: number) => `${configMaps("create")}/c${n % Math.min(made, 1_000)}`;
  figures.set("get, 1/s", await client.throughput((n) => ({ method: "GET", path: one(n) })));
  figures.set(
    "merge patch, 1/s",
    await client.throughput((n) => ({
      method: "PATCH",
      path: one(n),
      contentType: "application/merge-patch+json",
      body: JSON.stringify({ data: { level: `l${n}` } }),
    })),
  );
  figures.set(
    "apply, 1/s",
    await client.throughput((n) => ({
      method: "PATCH",
      path: `${one(n)}?fieldManager=bench&force=true`,
      contentType: "application/apply-patch+yaml",
      body: JSON.stringify({
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name: `c${n % Math.min(made, 1_000)}` },
        data: { applied: `a${n}` },
      }),
    })),
  );
  await client.all(listed, (n) => create("list", { shard: String(n % 50) })(n));
  figures.set(
    `list ${listed} ConfigMaps, ms`,
    await client.latency({ method: "GET", path: configMaps("list") }),
  );
  const selected = `${configMaps("list")}?labelSelector=shard%3D7`;
  figures.set(
    `list ${listed / 50} of ${listed} by label, ms`,
    await client.latency({ method: "GET", path: selected }),
  );
  for (const watchers of [50, 100]) {
    const { p50, p99 } = await fanOut(plane, client, watchers);
    figures.set(`fan-out to ${watchers} watchers, p50 ms`, p50);
    figures.set(`fan-out to ${watchers} watchers, p99 ms`, p99);
  }
  const before = residentMegabytes(processIds);
  await client.all(stored, create("many"));
  figures.set(`resident memory per ${stored} objects, MB`, residentMegabytes(processIds) - before);
  return figures;
}

/**
 * Returns percentiles of the delay in milliseconds between a change and its arrival at a watcher. They are computed from the
 * delays of all changes at all watchers.
 */
async function fanOut(
  plane: ControlPlane,
  client: BenchClient,
  watchers: number,
): Promise<{ readonly p50: number; readonly p99: number }> {
  const histogram = createHistogram();
  const sent = new Map<string, number>();
  const path = configMaps("watch");
  const name = `w${watchers}`;
  await client.call({ method: "POST", path, body: configMap(name) });
  let received = 0;
  const stops = await Promise.all(
    Array.from({ length: watchers }, () =>
      watchLines(plane, `${path}?watch=1&fieldSelector=metadata.name%3D${name}`, (line) => {
        const level = /"level":"([^"]+)"/.exec(line)?.[1] ?? "";
        const at = sent.get(level);
        if (at === undefined) return;
        received++;
        histogram.record(Math.max(1, Math.round((performance.now() - at) * 1e6)));
      }),
    ),
  );
  await new Promise((resolve) => setTimeout(resolve, 300));
  let changes = 0;
  for (const end = performance.now() + fanOutMs; performance.now() < end; changes++) {
    const level = `at-${changes}`;
    if (changes === 20) histogram.reset();
    sent.set(level, performance.now());
    await client.call({
      method: "PATCH",
      path: `${path}/${name}`,
      contentType: "application/merge-patch+json",
      body: JSON.stringify({ data: { level } }),
    });
    // Waits until all watchers have received the change before the next change is sent. The measured latency therefore contains
    // no queuing delays.
    while (received < (changes + 1) * watchers) await new Promise((resolve) => setImmediate(resolve));
  }
  for (const stop of stops) await stop();
  return { p50: histogram.percentile(50) / 1e6, p99: histogram.percentile(99) / 1e6 };
}

function residentMegabytes(processIds: readonly number[]): number {
  const kilobytes = processIds.map((id) =>
    Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${id}/status`, "utf8"))?.[1]),
  );
  return kilobytes.reduce((sum, each) => sum + each, 0) / 1_024;
}
