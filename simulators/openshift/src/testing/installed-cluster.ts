import assert from "node:assert/strict";
import type { ClusterClient, KubeObject } from "@keelson/apiserver";
import { stringAt } from "@keelson/base";
import { eventually } from "@keelson/base/testing/eventually";
import { conditionStatus } from "@keelson/kube";
import { resources } from "../base/resources.ts";
import { TestWorld, type WorldOptions } from "./installed-world.ts";

/** Counts the nodes by role and readiness, for example `master True` or `worker Unknown`. */
export async function nodesByState(client: ClusterClient): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const node of (await client.list(resources.nodes)).items) {
    const role = "node-role.kubernetes.io/master" in (node.metadata.labels ?? {}) ? "master" : "worker";
    const state = `${role} ${conditionStatus(node, "Ready")}`;
    counts[state] = (counts[state] ?? 0) + 1;
  }
  return counts;
}

export async function machinesByPhase(client: ClusterClient): Promise<Record<string, number>> {
  const machines = (await client.list(resources.machines)).items;
  return Object.fromEntries(
    Map.groupBy(machines, (machine) => stringAt(machine, "status", "phase") ?? "none")
      .entries()
      .map(([phase, group]) => [phase, group.length]),
  );
}

export async function someWorkerMachine(client: ClusterClient): Promise<KubeObject> {
  const labelSelector = "machine.openshift.io/cluster-api-machine-role=worker";
  const [machine] = (await client.list(resources.machines, { labelSelector })).items;
  assert.ok(machine);
  return machine;
}

/** Asserts that the installation is complete, with three ready masters and `workers` ready workers. */
export async function assertComplete(client: ClusterClient, workers: number): Promise<void> {
  const version = await client.get(resources.clusterVersions, { name: "version" });
  assert.equal(conditionStatus(version, "Available"), "True");
  assert.equal(conditionStatus(version, "Progressing"), "False");
  assert.deepEqual(await nodesByState(client), { "master True": 3, "worker True": workers });
  assert.deepEqual(await machinesByPhase(client), { Running: 3 + workers });
}

/** Asserts that all machines of both pools run the current configuration. */
export async function assertPoolsUpdated(client: ClusterClient): Promise<void> {
  for (const pool of (await client.list(resources.machineConfigPools)).items)
    assert.equal(conditionStatus(pool, "Updated"), "True", JSON.stringify(pool.status));
}

/** Starts a test environment with an installed cluster. */
export async function installed(options: WorldOptions = {}): Promise<TestWorld> {
  const world = await TestWorld.start(options);
  try {
    await world.install();
    await eventually(() => assertComplete(world.client, options.workers ?? 3));
    return world;
  } catch (error) {
    await world[Symbol.asyncDispose]();
    throw error;
  }
}
