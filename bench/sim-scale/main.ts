import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as delay } from "node:timers/promises";
import { numberAt, stringAt } from "@keelson/base";
import {
  conditionStatus,
  connectKube,
  createKubeconfig,
  type KubeClient,
  type KubeObject,
  resources,
} from "@keelson/kube";
import { defaultTimings as azureTimings } from "@keelson/sim-azure";
import { defaultTimings } from "@keelson/sim-openshift";
import { TestWorld } from "../../simulators/openshift/src/testing/installed-world.ts";
import { type Child, startChild } from "../support/child-process.ts";
import { type BenchOption, optionReader } from "../support/options.ts";
import { figure, printTable } from "../support/table.ts";
import { Probe } from "./probe.ts";
import { type Phase, parseSizes, phases, ScaleResults, type ScaleRow, type ScaleSize } from "./results.ts";
import type { ClusterReport } from "./server.ts";

export const simScaleOptions = {
  sizes: {
    value: "SIZES",
    help: "NODESxPODS of each cluster, separated by commas",
    initial: "250x10000",
    pattern: {
      regexp: /^[1-9]\d{0,3}x[1-9]\d{0,5}(,[1-9]\d{0,3}x[1-9]\d{0,5})*$/,
      example: "250x10000,1000x100000",
    },
  },
  phases: {
    value: "PHASES",
    help: "phases to measure, separated by commas",
    initial: phases.join(","),
    pattern: {
      regexp: new RegExp(`^(${phases.join("|")})(,(${phases.join("|")}))*$`),
      example: "nodes,pods,idle",
    },
  },
  idle: { value: "SECONDS", help: "duration of the idle phase, in seconds", least: 1, initial: "60" },
  out: {
    value: "FILE",
    help: "file for the rows, in JSON lines; rows in the file are not measured again",
    initial: "",
  },
} satisfies Record<string, BenchOption>;

/** Maximum number of pods of one Deployment. More pods are distributed over several namespaces. */
const podsPerDeployment = 10_000;
const pollMs = 250;
const settleMs = 15_000;
const signal = AbortSignal.timeout(14_400_000);
const machines = "openshift-machine-api";
const deploymentName = "scale";
const nextVersion = "4.20.3";

/** Measures one simulated cluster of each size. */
export async function benchSimScale(given: Readonly<Record<string, string>>): Promise<void> {
  const option = optionReader(simScaleOptions, given);
  const results = new ScaleResults(option("out"));
  const chosen = phases.filter((each) => option("phases").split(",").includes(each));
  for (const size of parseSizes(option("sizes"))) {
    if (chosen.every((phase) => results.has(size, phase))) continue;
    await using cluster = await ScaledCluster.start(size, (row) => {
      results.add(row);
      process.stderr.write(`${JSON.stringify(row)}\n`);
    });
    await cluster.measure(chosen, Number(option("idle")) * 1_000);
  }
  printTable([
    [
      "phase",
      "nodes",
      "pods",
      "s",
      "1/s",
      "cores",
      "RSS MiB",
      "KiB each",
      "GET p50",
      "GET p99",
      "GET max",
      "block ms",
      "turn ms",
    ],
    ...results.rows.map((row) => [
      // The first column names the row in JSON and in comparisons.
      `${row.phase}, ${row.nodes}x${row.pods}`,
      ...[row.nodes, row.pods].map(String),
      ...[row.seconds, row.perSecond, row.cores, row.rssMib, row.kibEach].map(cell),
      ...[row.getP50Ms, row.getP99Ms, row.getMaxMs, row.longestBlockMs, row.longestTurnMs].map(cell),
    ]),
    ["KWOK (published)", "1000", "100000", "", "20"],
  ]);
}

function cell(value: number | undefined | null): string {
  return value === undefined || value === null ? "" : figure(value);
}

class ScaledCluster implements AsyncDisposable {
  readonly #size: ScaleSize;
  readonly #report: (row: ScaleRow) => void;
  readonly #parts: AsyncDisposableStack;
  readonly #server: Child;
  readonly #probe: Probe;
  readonly #kube: KubeClient;
  #rssBytes: number;

  private constructor(
    size: ScaleSize,
    report: (row: ScaleRow) => void,
    running: {
      readonly parts: AsyncDisposableStack;
      readonly server: Child;
      readonly probe: Probe;
      readonly kube: KubeClient;
      readonly rssBytes: number;
    },
  ) {
    this.#size = size;
    this.#report = report;
    this.#parts = running.parts;
    this.#server = running.server;
    this.#probe = running.probe;
    this.#kube = running.kube;
    this.#rssBytes = running.rssBytes;
  }

  static async start(size: ScaleSize, report: (row: ScaleRow) => void): Promise<ScaledCluster> {
    await using starting = new AsyncDisposableStack();
    const directory = starting.use(await mkdtempDisposable(join(tmpdir(), "bench-sim-scale-")));
    const world = starting.use(
      await TestWorld.start({
        storage: { kind: "file", path: join(directory.path, "clusters.db") },
        timings: defaultTimings,
        azureTimings,
        asleep: true,
      }),
    );
    const { simulation } = world;
    const server = starting.use(
      await startChild(new URL("./server.ts", import.meta.url), [JSON.stringify(simulation)]),
    );
    await server.line();
    await world.install();
    const { access, rssBytes } = await firstAccess(server);
    const probe = starting.use(
      new Probe({
        url: `${access.url}/api/v1/namespaces/kube-system`,
        token: access.token,
        caPem: simulation.caPem,
      }),
    );
    const kube = starting.use(
      connectKube({
        kubeconfig: createKubeconfig({
          server: access.url,
          caPem: simulation.caPem,
          clusterName: "bench",
          userName: "bench",
          token: access.token,
        }),
        userAgent: "bench",
        fieldManager: "bench",
      }),
    );
    const running = { server, probe, kube, rssBytes, parts: starting.move() };
    return new ScaledCluster(size, report, running);
  }

  /** Runs the phases in order. Creates nodes and pods even if only later phases are chosen. */
  async measure(chosen: readonly Phase[], idleMs: number): Promise<void> {
    await this.#until(async () => {
      const version = await this.#kube.find(resources.clusterVersions, { name: "version" }, signal);
      return conditionStatus(version, "Available") === "True" && (await this.#readyWorkers()) >= 3;
    });
    await delay(settleMs);
    const { nodes, pods } = this.#size;
    const last = phases.indexOf(chosen.at(-1) ?? "nodes");
    await this.#phase("nodes", nodes - 3, () => this.#scaleNodes());
    if (last >= phases.indexOf("pods")) await this.#phase("pods", pods, () => this.#createPods());
    if (chosen.includes("idle")) {
      await delay(settleMs);
      await this.#phase("idle", undefined, () => delay(idleMs));
    }
    if (chosen.includes("roll")) await this.#phase("roll", this.#perDeployment(0), () => this.#roll());
    if (chosen.includes("update")) await this.#phase("update", nodes, () => this.#update());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#parts.disposeAsync();
  }

  async #phase(phase: Phase, count: number | undefined, run: () => Promise<void>): Promise<void> {
    await reportOf(this.#server);
    await this.#probe.take();
    const began = performance.now();
    await run();
    const seconds = (performance.now() - began) / 1_000;
    const { p50Ms, p99Ms, maxMs, failed } = await this.#probe.take();
    const { cpuMs, rssBytes, longestBlockMs, longestTurnMs } = await reportOf(this.#server);
    const grown = phase === "nodes" || phase === "pods";
    this.#report({
      phase,
      ...this.#size,
      seconds,
      perSecond: count === undefined ? undefined : count / seconds,
      cores: cpuMs / 1_000 / seconds,
      rssMib: rssBytes / 2 ** 20,
      kibEach: grown && count ? (rssBytes - this.#rssBytes) / count / 1_024 : undefined,
      getP50Ms: p50Ms,
      getP99Ms: p99Ms,
      getMaxMs: maxMs,
      getsFailed: failed,
      longestBlockMs,
      longestTurnMs,
    });
    this.#rssBytes = rssBytes;
  }

  async #scaleNodes(): Promise<void> {
    const sets = (await this.#kube.list(resources.machineSets, { namespace: machines }, signal)).items;
    const { nodes } = this.#size;
    for (const [index, { metadata }] of sets.entries()) {
      const replicas = Math.floor(nodes / sets.length) + (index < nodes % sets.length ? 1 : 0);
      await this.#kube.mergePatch(resources.machineSets, metadata, { spec: { replicas } }, signal);
    }
    await this.#until(async () => (await this.#readyWorkers()) >= nodes);
  }

  async #readyWorkers(): Promise<number> {
    const { items } = await this.#kube.list(resources.machineSets, { namespace: machines }, signal);
    return items.reduce((sum, each) => sum + (numberAt(each, "status", "readyReplicas") ?? 0), 0);
  }

  get #namespaces(): readonly string[] {
    return Array.from({ length: Math.ceil(this.#size.pods / podsPerDeployment) }, (_, at) => `scale-${at}`);
  }

  #perDeployment(index: number): number {
    return Math.min(podsPerDeployment, this.#size.pods - index * podsPerDeployment);
  }

  async #createPods(): Promise<void> {
    for (const [index, name] of this.#namespaces.entries()) {
      await this.#kube.create(
        resources.namespaces,
        { apiVersion: "v1", kind: "Namespace", metadata: { name } },
        signal,
      );
      await this.#kube.create(resources.deployments, deployment(name, this.#perDeployment(index)), signal);
    }
    await this.#until(async () => {
      const ready = await Promise.all(
        this.#namespaces.map(async (namespace, index) => {
          const status = await this.#deployment(namespace);
          return numberAt(status, "status", "readyReplicas") === this.#perDeployment(index);
        }),
      );
      return ready.every(Boolean);
    });
  }

  async #roll(): Promise<void> {
    const [namespace = ""] = this.#namespaces;
    const template = { metadata: { annotations: { bench: "2" } } };
    const { metadata } = await this.#kube.mergePatch(
      resources.deployments,
      { namespace, name: deploymentName },
      { spec: { template } },
      signal,
    );
    const pods = this.#perDeployment(0);
    await this.#until(async () => {
      const found = await this.#deployment(namespace);
      const counts = ["updatedReplicas", "readyReplicas", "replicas"].map((name) =>
        numberAt(found, "status", name),
      );
      const observed = numberAt(found, "status", "observedGeneration") ?? 0;
      return observed >= Number(metadata.generation) && counts.every((each) => each === pods);
    });
  }

  async #update(): Promise<void> {
    const key = { name: "version" };
    const spec = { desiredUpdate: { version: nextVersion } };
    await this.#kube.mergePatch(resources.clusterVersions, key, { spec }, signal);
    await this.#until(async () => {
      const found = await this.#kube.find(resources.clusterVersions, key, signal);
      if (stringAt(found, "status", "history", 0, "version") !== nextVersion) return false;
      if (stringAt(found, "status", "history", 0, "state") !== "Completed") return false;
      const pools = (await this.#kube.list(resources.machineConfigPools, {}, signal)).items;
      if (!pools.every((pool) => conditionStatus(pool, "Updated") === "True")) return false;
      const nodes = (await this.#kube.list(resources.nodes, {}, signal)).items;
      const kubelets = nodes.map((node) => stringAt(node, "status", "nodeInfo", "kubeletVersion"));
      return new Set(kubelets).size === 1;
    });
  }

  #deployment(namespace: string): Promise<KubeObject | undefined> {
    return this.#kube.find(resources.deployments, { namespace, name: deploymentName }, signal);
  }

  async #until(holds: () => Promise<boolean>): Promise<void> {
    while (!(await holds())) await delay(pollMs, undefined, { signal });
  }
}

function deployment(namespace: string, replicas: number): KubeObject {
  const labels = { app: deploymentName };
  const template = {
    metadata: { labels },
    spec: { containers: [{ name: "main", image: "registry.example.com/bench/idle:1" }] },
  };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: deploymentName, namespace },
    spec: { replicas, selector: { matchLabels: labels }, template },
  };
}

async function reportOf(server: Child): Promise<ClusterReport> {
  server.ask();
  return JSON.parse(await server.line());
}

/** Waits until the cluster exists. Returns its URL and token, and the memory of its process. */
async function firstAccess(
  server: Child,
): Promise<{ readonly access: NonNullable<ClusterReport["access"]>; readonly rssBytes: number }> {
  for (;;) {
    const { access, rssBytes } = await reportOf(server);
    if (access) return { access, rssBytes };
    await delay(pollMs);
  }
}
