import process from "node:process";
import { setTimeout as delay } from "node:timers/promises";
import { adminKubeconfig, startEmbeddedProcess } from "@keelson/apiserver/testing";
import { createAroOperator } from "@keelson/aro-operator";
import { Metrics, silentLogger } from "@keelson/base";
import { ManualClock } from "@keelson/base/testing";
import { connectKube, type KubeClient, type KubeObject, resources } from "@keelson/kube";
import { serveOperator } from "./operator-cache.ts";
import { liveHeapMibOf } from "./support/inspected-process.ts";
import type { BenchOption } from "./support/options.ts";
import { figure, printTable } from "./support/table.ts";

const role = { name: "system:aro-sre" };
const minuteMs = 60_000;
const perRow = 3;
/**
 * Lease durations in simulated time. The durations are long, because the simulated clock advances by minutes while the operator
 * waits for the response to a renewal.
 */
const election = {
  leaseDurationMs: 137 * minuteMs,
  renewDeadlineMs: 107 * minuteMs,
  retryPeriodMs: 26 * minuteMs,
};

export const dayOptions: Readonly<Record<string, BenchOption>> = {
  hours: { value: "N", help: "duration in simulated hours", least: 1, initial: "24" },
};

/**
 * Simulates a day of the ARO operator's master role with an accelerated clock. Prints its memory and queue lengths over time. The
 * cluster is idle except for one deleted and one edited object per hour. Azure is not available, so controllers that need Azure
 * fail continuously.
 */
export async function benchOperatorDay({ hours = "24" }: Readonly<Record<string, string>>): Promise<void> {
  const signal = AbortSignal.timeout(3_600_000);
  await using plane = await startEmbeddedProcess();
  const kubeconfig = adminKubeconfig(plane.url, plane.authority, plane.admin);
  await using kube = connectKube({ kubeconfig, userAgent: "bench", fieldManager: "bench" });
  await using api = connectKube({ kubeconfig, userAgent: "aro-operator", fieldManager: "aro-operator" });
  await serveOperator(kube);
  await prepare(kube, signal);
  const clock = new ManualClock(new Date());
  const metrics = new Metrics();
  const operator = createAroOperator({
    ...{ role: "master", api, version: "bench", instance: "bench", environment: {} },
    ...{ metrics, clock, logger: silentLogger, election },
  });
  const stop = new AbortController();
  const running = operator.run(stop.signal);
  const pass = async (ms: number, stepMs: number) => {
    for (let passed = 0; passed < ms; passed += stepMs) {
      await clock.advance(stepMs);
      await delay(1);
    }
  };
  while (!operator.isReady) await pass(1_000, 100);
  await pass(30 * minuteMs, 5_000);

  const heads = [
    "after hours",
    "live heap MiB",
    "keys that wait",
    "sleepers",
    "reconciles an hour",
    "writes an hour",
    "minutes real",
  ];
  const rows = [heads];
  const began = performance.now();
  let before = await totals(metrics);
  for (let hour = 0; hour <= Number(hours); hour += perRow) {
    const now = await totals(metrics);
    const figures = [
      ...[hour, await liveHeapMibOf(process.pid), now.depth, clock.sleeping],
      ...[(now.reconciles - before.reconciles) / perRow, (now.writes - before.writes) / perRow],
      (performance.now() - began) / minuteMs,
    ];
    rows.push(figures.map(figure));
    process.stderr.write(`${rows.at(-1)?.join("  ")}\n`);
    before = now;
    for (let each = 0; each < perRow && hour < Number(hours); each++) {
      await kube.delete(resources.clusterRoles, role, signal);
      await pass(30 * minuteMs, 10_000);
      await kube.mergePatch(resources.clusterRoles, role, { rules: [] }, signal);
      await pass(30 * minuteMs, 10_000);
    }
  }
  printTable(rows);
  stop.abort();
  await running.catch(() => undefined);
}

/** Creates the objects that most controllers read. */
async function prepare(kube: KubeClient, signal: AbortSignal): Promise<void> {
  const startedTime = "2026-01-01T00:00:00Z";
  const release = { version: "4.19.24", image: "quay.io/example/release" };
  const update = { ...release, state: "Completed", startedTime, completionTime: startedTime, verified: true };
  const version = {
    spec: { clusterID: "9d0e8a5c-4a1c-4c34-9d4e-3f5d1a2b3c4d" },
    status: {
      desired: release,
      history: [update],
      observedGeneration: 1,
      versionHash: "hash",
      availableUpdates: [],
    },
  };
  await put(resources.clusterVersions, { metadata: { name: "version" }, spec: version.spec });
  await kube.mergePatch(
    resources.clusterVersions,
    { name: "version" },
    { status: version.status },
    signal,
    "status",
  );
  for (const name of ["master", "worker"])
    await put(resources.machineConfigPools, { metadata: { name }, spec: {} });

  async function put(
    resource: typeof resources.clusterVersions,
    object: Partial<KubeObject> & Pick<KubeObject, "metadata">,
  ) {
    const { group, version, kind } = resource;
    await kube.ensure(resource, { apiVersion: `${group}/${version}`, kind, ...object }, signal);
  }
}

async function totals(metrics: Metrics) {
  const families = await metrics.families();
  const sum = (name: string, counts: (labels: Readonly<Record<string, string>>) => boolean = () => true) => {
    const family = families.find((each) => each.name === name);
    if (!family || family.kind === "histogram") return 0;
    return family.series
      .filter(({ labels }) => counts(labels))
      .reduce((total, { value }) => total + value, 0);
  };
  return {
    depth: sum("workqueue_depth"),
    reconciles: sum("controller_runtime_reconcile_total"),
    writes: sum("keelson_controller_writes_total", ({ kind }) => kind !== "Event" && kind !== "Lease"),
  };
}
