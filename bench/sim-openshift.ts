import type { ClusterClient } from "@keelson/apiserver";
import { stringAt } from "@keelson/base";
import { eventually } from "@keelson/base/testing/eventually";
import { conditionStatus } from "@keelson/kube";
import { defaultTimings as azureTimings } from "@keelson/sim-azure";
import { defaultTimings } from "@keelson/sim-openshift";
import { resources } from "../simulators/openshift/src/base/resources.ts";
import {
  assertComplete,
  assertPoolsUpdated,
  someWorkerMachine,
} from "../simulators/openshift/src/testing/installed-cluster.ts";
import { TestWorld } from "../simulators/openshift/src/testing/installed-world.ts";
import { figure, printTable } from "./support/table.ts";

const installs = 5;

/** Measures the installation of a simulated cluster with 3 + 3 nodes and default timings. */
export async function benchSimOpenShift(): Promise<void> {
  const times: number[] = [];
  for (let index = 0; index < installs - 1; index++) {
    await using world = await started();
    times.push(await secondsOf(() => install(world)));
  }
  await using world = await started();
  times.push(await secondsOf(() => install(world)));
  const { client } = world;
  await eventually(() => assertPoolsUpdated(client));
  times.sort((a, b) => a - b);
  printTable([
    ["simulated OpenShift, 3 + 3 nodes", "seconds"],
    ["first machine asked for, to complete (median)", figure(times[installs >> 1] ?? Number.NaN)],
    ["first machine asked for, to complete (worst)", figure(times.at(-1) ?? Number.NaN)],
    ["worker Machine deleted, to replaced", figure(await secondsOf(() => replaceWorker(client)))],
    ["MachineConfig created, to on all workers", figure(await secondsOf(() => rollConfig(client)))],
    ["update asked for, to Completed and on all nodes", figure(await secondsOf(() => update(client)))],
  ]);
}

function started(): Promise<TestWorld> {
  return TestWorld.start({ timings: defaultTimings, azureTimings, openShiftVersion: "4.18.26" });
}

async function secondsOf(run: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await run();
  return (performance.now() - start) / 1_000;
}

async function install(world: TestWorld): Promise<void> {
  await world.install();
  await eventually(() => assertComplete(world.client, 3));
}

async function replaceWorker(client: ClusterClient): Promise<void> {
  const { metadata } = await someWorkerMachine(client);
  await client.delete(resources.machines, metadata);
  await eventually(async () => {
    if (await client.find(resources.machines, metadata)) throw new Error("the machine is still there");
    await assertComplete(client, 3);
    await assertPoolsUpdated(client);
  });
}

async function rollConfig(client: ClusterClient): Promise<void> {
  const before = await workerConfig(client);
  await client.create(resources.machineConfigs, {
    apiVersion: "machineconfiguration.openshift.io/v1",
    kind: "MachineConfig",
    metadata: { name: "99-worker-bench", labels: { "machineconfiguration.openshift.io/role": "worker" } },
    spec: { config: { ignition: { version: "3.2.0" } }, kernelArguments: ["quiet"] },
  });
  await eventually(async () => {
    if ((await workerConfig(client)) === before) throw new Error("the workers have their old configuration");
    await assertPoolsUpdated(client);
  });
}

async function workerConfig(client: ClusterClient): Promise<string | undefined> {
  const pool = await client.get(resources.machineConfigPools, { name: "worker" });
  return stringAt(pool, "status", "configuration", "name");
}

async function update(client: ClusterClient): Promise<void> {
  const version = "4.19.24";
  const key = { name: "version" };
  await client.mergePatch(resources.clusterVersions, key, { spec: { desiredUpdate: { version } } });
  await eventually(async () => {
    const found = await client.get(resources.clusterVersions, key);
    const done = stringAt(found, "status", "history", 0, "version") === version;
    if (!done || conditionStatus(found, "Progressing") !== "False")
      throw new Error("the update is in progress");
    await assertPoolsUpdated(client);
    for (const node of (await client.list(resources.nodes)).items)
      if (stringAt(node, "status", "nodeInfo", "kubeletVersion") !== "v1.32.9")
        throw new Error(`${node.metadata.name} has its old kubelet`);
  });
}
