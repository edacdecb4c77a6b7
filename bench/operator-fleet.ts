import process from "node:process";
import { setTimeout as delay } from "node:timers/promises";
import { timeLimit } from "@keelson/base";
import { connectKube, resources } from "@keelson/kube";
import { cpuMsOf, findChild, residentMb } from "./support/cpu-time.ts";
import { createIn, startFleet } from "./support/fleet-world.ts";
import type { BenchOption } from "./support/options.ts";
import { figure, printTable } from "./support/table.ts";

/** Deployments of operators other than the ARO operator. */
const others = [
  { namespace: "openshift-cluster-samples-operator", name: "cluster-samples-operator" },
  { namespace: "openshift-kube-apiserver-operator", name: "kube-apiserver-operator" },
];
const steps = [1, 10, 50, 100, 200, 500, 1_000];
/** Number of concurrent installations. */
const batch = 10;
const installLimitMs = 1_800_000;
/**
 * Time in milliseconds between the installations and the measurement. Garbage collection after the installation of many clusters
 * needs this time.
 */
const settleMs = 180_000;
const idleMs = 60_000;

export const operatorFleetOptions: Readonly<Record<string, BenchOption>> = {
  operators: { value: "WHICH", help: "all, or aro for only the ARO operator", initial: "all" },
};

/**
 * Measures the idle operators of many clusters in one shared process. `CLUSTERS` sets the number of clusters. Default: 200. Each
 * cluster has four operators: both roles of the ARO operator, samples and kube-apiserver. `--operators aro` runs only the two ARO
 * operators.
 * @throws Error for an unknown value of `--operators`
 */
export async function benchOperatorFleet({
  operators = "all",
}: Readonly<Record<string, string>>): Promise<void> {
  if (!["all", "aro"].includes(operators))
    throw new Error(`--operators is all or aro, not ${JSON.stringify(operators)}`);
  const size = Number(process.env.CLUSTERS ?? 200);
  await using fleet = await startFleet([], "shared");
  const world = fleet.watched.find(({ name }) => name === "world")?.pid ?? 0;
  const rows = [
    [
      "clusters",
      "operators MB",
      "MB for each more",
      "CPU ms/min for each",
      "world MB",
      "world CPU ms/min for each",
      "restarts",
    ],
  ];
  let count = 0;
  let restarts = 0;
  let last: number | undefined;
  let before: { readonly count: number; readonly mb: number } | undefined;
  for (const step of [...steps.filter((each) => each < size), size]) {
    while (count < step) {
      const names = Array.from({ length: Math.min(batch, step - count) }, (_, at) => `fleet${count + at}`);
      await install(names);
      count += names.length;
      const now = findChild(world, "operator-host.ts");
      if (last !== undefined && now !== last) restarts += 1;
      last = now;
    }
    const host = findChild(world, "operator-host.ts") ?? 0;
    await delay(settleMs);
    const cpu = [host, world].map((pid) => cpuMsOf(pid));
    await delay(idleMs);
    const spent = [host, world].map((pid, at) => (cpuMsOf(pid) - (cpu[at] ?? 0)) / count);
    const mb = residentMb(host);
    const more = before ? (mb - before.mb) / (count - before.count) : Number.NaN;
    rows.push([
      `${count}`,
      ...[mb, more, spent[0], residentMb(world), spent[1], restarts].map((each) =>
        figure(each ?? Number.NaN),
      ),
    ]);
    process.stderr.write(`${rows.at(-1)?.join("  ")}\n`);
    before = { count, mb };
  }
  printTable(rows);

  async function install(names: readonly string[]): Promise<void> {
    const { client } = fleet;
    for (const name of names) await fleet.makeNetwork(name);
    const responses = await Promise.all(names.map((name) => createIn(client, name)));
    for (const { headers } of responses) {
      const operation = await client.settle(headers["azure-asyncoperation"], installLimitMs);
      if (operation.status !== "Succeeded")
        throw new Error(`a cluster's installation failed: ${JSON.stringify(operation)}`);
    }
    if (operators === "aro") await Promise.all(names.map(stopOthers));
  }

  async function stopOthers(name: string): Promise<void> {
    const path = fleet.client.cluster(name, "/listAdminCredentials?api-version=2025-07-25");
    const { body } = await fleet.client.call("POST", path);
    const kubeconfig = Buffer.from(body.kubeconfig, "base64").toString();
    await using kube = connectKube({ kubeconfig, userAgent: "bench", fieldManager: "bench" });
    const signal = timeLimit(60_000);
    const overrides = others.map((key) => ({ group: "apps", kind: "Deployment", unmanaged: true, ...key }));
    await kube.mergePatch(resources.clusterVersions, { name: "version" }, { spec: { overrides } }, signal);
    // Skips an operator if the simulated release has not installed it yet.
    for (const key of others)
      if (await kube.find(resources.deployments, key, signal))
        await kube.mergePatch(resources.deployments, key, { spec: { replicas: 0 } }, signal);
  }
}
