/**
 * Evaluates the shipped alert rules with Debian's Prometheus for the clusters of `keelson up`. No alert is pending or firing for
 * healthy clusters, and each fault fires exactly its alert. The waiting times of the alerts are shorter than in production.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { connectKube, type KubeClient } from "@keelson/kube";
import { ArmClient } from "../e2e/support/arm-client.ts";
import { readEndpoints } from "../e2e/support/endpoints.ts";
import { eventually } from "../e2e/support/eventually.ts";
import { Program, StateDirectory } from "../e2e/support/program.ts";
import { WorldClient } from "../e2e/support/world-client.ts";
import { type ActiveFault, clusterFaults } from "./cluster-faults.ts";
import { PrometheusServer } from "./prometheus-server.ts";
import { ruleFileNames, shortenedRules } from "./shortened-rules.ts";

/** Divisor of the waiting times. The longest waiting time is then six minutes instead of three hours. */
const factor = 30;
const scrapeSeconds = 5;
/** Time in seconds in which the monitor collects the metrics of each cluster. It may begin a collection late. */
const collectionSeconds = 90;
/** Waiting time in seconds of most alerts about clusters. Only KeelsonClusterOperatorBehind waits longer. */
const usualSeconds = (60 * 60) / factor;
/**
 * Alerts that become active if other programs use the CPUs, for example because a scrape takes too long. They are about processes of
 * the service, and not about clusters.
 */
const causedByLoad = [
  "KeelsonApiLatency.*",
  "KeelsonDatabaseSlow",
  "KeelsonEventLoopStalled",
  "KeelsonMonitorAbsent",
  "KeelsonPassesLate",
  "KeelsonProcessDown",
].join("|");

const isInstalled = spawnSync("prometheus", ["--version"]).status === 0;
const names = clusterFaults.map((_, at) => (at === 0 ? "demo" : `faulty${at}`));

describe("alerts of clusters in Prometheus", {
  skip: isInstalled ? false : "no Prometheus: scripts/install-clients.sh",
  timeout: 2_400_000,
}, () => {
  const stack = new AsyncDisposableStack();
  const state = stack.use(new StateDirectory());
  const signal = AbortSignal.timeout(2_400_000);
  let prometheus: PrometheusServer;
  let world: WorldClient;
  let active: readonly ActiveFault[];
  let faultsMs = 0;

  before(async () => {
    const [first = "", ...others] = names;
    const flags = ["--state", state.path, "--ports", "auto", "--operators", "shared"];
    const up = stack.use(Program.start("up", ...flags, "--cluster", first, "--subnets-for", ...others));
    await up.says(/endpoints/);
    const endpoints = state.file("endpoints.json");
    const arm = stack.use(new ArmClient(endpoints));
    await Promise.all(others.map((name) => arm.createCluster(name)));
    for (const name of others) assert.equal(await arm.terminal(name), "Succeeded", name);
    world = stack.use(new WorldClient(state.path));
    const rules = Object.fromEntries(ruleFileNames.map((name) => [name, shortenedRules(name, factor).text]));
    const directory = join(state.path, "prometheus");
    const { metrics: target } = readEndpoints(endpoints);
    prometheus = stack.use(await PrometheusServer.start({ directory, rules, target, scrapeSeconds }));
  });
  after(() => stack.disposeAsync());

  /** Returns the alerts since a time in the past, as `state alert {labels}`. Excludes alerts that other programs cause. */
  async function alertsSince(sinceMs: number, selector = ""): Promise<readonly string[]> {
    const seconds = Math.ceil((performance.now() - sinceMs) / 1_000);
    const selected = `ALERTS{alertname!~"${causedByLoad}"${selector}}`;
    const samples = await prometheus.query(`max_over_time(${selected}[${seconds}s])`);
    return samples.map(({ labels: { alertname, alertstate, ...labels } }) =>
      [alertstate, alertname, JSON.stringify(labels)].join(" "),
    );
  }

  /** Start of a time range with the last evaluations of the rules. */
  const recently = () => performance.now() - 4 * scrapeSeconds * 1_000;

  /** Asserts that the monitor reports every cluster as healthy, because alerts also resolve if all series end. */
  async function allHealthy(): Promise<void> {
    const healthy = await prometheus.query('cluster_apiserver_healthz_code{code="200"}');
    assert.equal(healthy.length, names.length);
  }

  test("no alert is pending or firing for healthy clusters while the longest waiting time passes", async (context) => {
    await eventually(async () => {
      await allHealthy();
      assert.deepEqual(await alertsSince(recently()), []);
    });
    const longest = Math.max(...ruleFileNames.map((name) => shortenedRules(name, factor).longestSeconds));
    const startMs = performance.now();
    await delay((longest + collectionSeconds) * 1_000);
    context.diagnostic(`${names.length} clusters, ${longest} s is the longest waiting time`);
    assert.deepEqual(await alertsSince(startMs), []);
    await allHealthy();
  });

  test("each fault fires exactly its alert for its cluster", async (context) => {
    faultsMs = performance.now();
    active = await Promise.all(
      clusterFaults.map(async ({ begin }, at) => {
        const name = names[at] ?? "";
        return begin({ name, kube: await kubeOf(name), world, signal });
      }),
    );
    await Promise.all(
      clusterFaults.map(async ({ name, alert }, at) => {
        await eventually(async () =>
          assert.notEqual((await firing(at, alert)).length, 0, `${name}: ${alert}`),
        );
        context.diagnostic(`${name}: ${alert} after ${Math.round((performance.now() - faultsMs) / 1_000)} s`);
      }),
    );
    // Any other alert about the faults has the time to fire, too.
    await delay(Math.max(0, faultsMs + (usualSeconds + collectionSeconds) * 1_000 - performance.now()));
    await onlyExpected();
  });

  // Other alerts may fire here for a short time. While a cluster recovers, a collection may find its operators unready, and the
  // shortened waiting time of some alerts is shorter than the time until the next collection.
  test("each alert resolves after the repair", async (context) => {
    const repairedMs = performance.now();
    for (const { repair } of active) await repair();
    await eventually(async () => {
      assert.deepEqual(await alertsSince(recently()), []);
      await allHealthy();
    });
    context.diagnostic(`resolved after ${Math.round((performance.now() - repairedMs) / 1_000)} s`);
  });

  async function kubeOf(name: string): Promise<KubeClient> {
    const { code, stdout, stderr } = await Program.run("kubeconfig", name, "--state", state.path);
    assert.equal(code, 0, stderr);
    return stack.use(connectKube({ kubeconfig: stdout, userAgent: "e2e", fieldManager: "e2e" }));
  }

  /** Returns the alerts that have fired for a cluster since the begin of its fault. */
  async function firing(at: number, alert = ".+"): Promise<readonly string[]> {
    const selector = `, alertname=~"${alert}", alertstate="firing", resourceName="${names[at]}"`;
    return alertsSince(faultsMs, selector);
  }

  /** Asserts that one alert has fired for each fault, with the labels of the fault, and that no other alert has fired. */
  async function onlyExpected(): Promise<void> {
    for (const [at, { name, alert }] of clusterFaults.entries()) {
      const fired = await firing(at);
      assert.equal(fired.length, 1, `${name}: ${fired.join("; ")}`);
      assert.ok(fired[0]?.startsWith(`firing ${alert} `), `${name}: ${fired[0]}`);
      for (const [label, value] of Object.entries(active[at]?.labels ?? {}))
        assert.ok(
          fired[0]?.includes(`${JSON.stringify(label)}:${JSON.stringify(value)}`),
          `${name}: ${fired[0]}`,
        );
    }
    assert.deepEqual(await alertsSince(faultsMs, ', alertstate="firing", resourceName=""'), []);
  }
});
