/**
 * Simulated cluster in a separate process. The only argument is a SimulationConfig in JSON. For each line of stdin, the process
 * prints a ClusterReport. It exits when stdin ends.
 */
import { monitorEventLoopDelay } from "node:perf_hooks";
import process from "node:process";
import { createInterface } from "node:readline";
import { infraId } from "../../simulators/openshift/src/testing/installed-world.ts";
import { startSimulation } from "../../simulators/openshift/src/testing/simulation.ts";

/** Measurements since the previous report, and access to the cluster. */
export interface ClusterReport {
  /** Longest time in milliseconds during which the event loop was blocked. */
  readonly longestBlockMs: number;
  /** Longest CPU time of one event loop turn in milliseconds. CPU usage of other processes does not affect it. */
  readonly longestTurnMs: number;
  readonly cpuMs: number;
  readonly rssBytes: number;
  readonly heapBytes: number;
  /** URL and administrator token. Undefined before the cluster exists. */
  readonly access: { readonly url: string; readonly token: string } | undefined;
}

const user = { namespace: "kube-system", serviceAccount: "bench" };
const resolutionMs = 5;

const simulation = await startSimulation(JSON.parse(process.argv[2] ?? ""));
const delay = monitorEventLoopDelay({ resolution: resolutionMs });
delay.enable();
let access: ClusterReport["access"];
let before = process.cpuUsage();
let longestTurnUs = 0;
let turnBefore = process.threadCpuUsage();
setInterval(() => {
  const now = process.threadCpuUsage();
  longestTurnUs = Math.max(longestTurnUs, now.user + now.system - turnBefore.user - turnBefore.system);
  turnBefore = now;
}, resolutionMs).unref();
process.stdout.write("running\n");
for await (const _ of createInterface(process.stdin)) {
  access ??= await createAccess();
  const { user: userUs, system } = process.cpuUsage(before);
  before = process.cpuUsage();
  const { rss, heapUsed } = process.memoryUsage();
  const report: ClusterReport = {
    longestBlockMs: Math.max(0, delay.max / 1e6 - resolutionMs),
    longestTurnMs: longestTurnUs / 1_000,
    cpuMs: (userUs + system) / 1_000,
    rssBytes: rss,
    heapBytes: heapUsed,
    access,
  };
  delay.reset();
  longestTurnUs = 0;
  process.stdout.write(`${JSON.stringify(report)}\n`);
}
process.exit();

/** Creates a service account that is administrator of the cluster. Returns undefined if the cluster does not exist yet. */
async function createAccess(): Promise<ClusterReport["access"]> {
  const cluster = simulation.apiServer.findCluster(infraId);
  if (!cluster) return undefined;
  const { namespace, serviceAccount: name } = user;
  const accounts = { group: "", version: "v1", resource: "serviceaccounts" };
  const bindings = { group: "rbac.authorization.k8s.io", version: "v1", resource: "clusterrolebindings" };
  if (!(await cluster.client.find(accounts, { namespace, name }))) {
    await cluster.client.create(accounts, {
      apiVersion: "v1",
      kind: "ServiceAccount",
      metadata: { namespace, name },
    });
    await cluster.client.create(bindings, {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "ClusterRoleBinding",
      metadata: { name },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "cluster-admin" },
      subjects: [{ kind: "ServiceAccount", namespace, name }],
    });
  }
  const { token } = await cluster.issueToken({ ...user, expirationSeconds: 86_400 });
  return { url: cluster.url, token };
}
