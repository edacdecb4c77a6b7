import type { KubeObject } from "@keelson/apiserver";
import { readCredentials } from "../../azure/cluster-credentials.ts";
import type { Cluster } from "../../runtime/cluster.ts";
import { parseKey, settled } from "../../runtime/controller.ts";
import { textAt } from "../../runtime/fields.ts";
import { ensureDeleted, writeStatus } from "../../runtime/objects.ts";
import { resources } from "../../runtime/resources.ts";
import type { Outcome } from "../../runtime/work-queue.ts";
import { operatorVersion } from "../cluster-operators/plan.ts";
import { drainNode } from "./drain.ts";
import { failureOf, type MachineFailure } from "./failure.ts";
import { createInstance, deleteInstance } from "./instance.ts";
import { machineFinalizer, planMachine } from "./plan.ts";
import { parseProviderSpec } from "./provider-spec.ts";
import { failedStatus, instanceStatus, phaseStatus, withInstance } from "./status.ts";
import { workerUserData } from "./user-data.ts";

export async function reconcileMachine(key: string, cluster: Cluster, signal: AbortSignal): Promise<Outcome> {
  const { client, clock } = cluster;
  if (!(await machineApiRuns(cluster))) return settled;
  const machine = await client.find(resources.machines, parseKey(key));
  if (!machine) return settled;
  const { name } = machine.metadata;
  const node = await client.find(resources.nodes, { name });
  const change = planMachine({ machine, node, vm: cluster.machines.find(name) });
  switch (change.kind) {
    case "none":
      return settled;
    case "adopt":
      await writeFinalizers(cluster, machine, [...(machine.metadata.finalizers ?? []), machineFinalizer]);
      return settled;
    case "set-phase":
      await writeStatus(client, resources.machines, machine, phaseStatus(machine, change.phase, clock.now()));
      return settled;
    case "fail":
      await writeFailure(cluster, machine, change.failure);
      return settled;
    case "create-instance":
      return create(cluster, machine, signal);
    case "report": {
      const zone = textAt(machine, "spec", "providerSpec", "value", "zone");
      const wanted = withInstance(machine, change.vm, zone);
      const current = wanted === machine ? machine : await client.update(resources.machines, wanted);
      const status = instanceStatus(current, change.phase, change.vm, node, clock.now());
      await writeStatus(client, resources.machines, current, status);
      return settled;
    }
    case "delete-instance":
      if (node) await drainNode(client, node);
      await remove(cluster, machine, signal);
      await ensureDeleted(client, resources.nodes, { name });
      await writeFinalizers(
        cluster,
        machine,
        (machine.metadata.finalizers ?? []).filter((each) => each !== machineFinalizer),
      );
      return settled;
  }
}

/** machine-api is itself an operator of the cluster: it works once its ClusterOperator says so. */
async function machineApiRuns({ client }: Cluster): Promise<boolean> {
  const operator = await client.find(resources.clusterOperators, { name: "machine-api" });
  return operator !== undefined && operatorVersion(operator) !== undefined;
}

async function create(cluster: Cluster, machine: KubeObject, signal: AbortSignal): Promise<Outcome> {
  const { settings, azure } = cluster;
  try {
    const spec = parseProviderSpec(machine, settings.platform);
    await createInstance(
      azure.connect(await readCredentials(cluster)),
      {
        name: machine.metadata.name,
        infraId: settings.infraId,
        platform: settings.platform,
        spec,
        userData: await workerUserData(cluster, machine.metadata.namespace, spec.userDataSecret),
      },
      signal,
    );
  } catch (error) {
    const failure = failureOf(error);
    if (!failure) throw error;
    await writeFailure(cluster, machine, failure);
    return settled;
  }
  // The hypervisor tells of the new machine; looking again covers a notice that got lost.
  return { requeueAfterMs: 5_000 };
}

async function remove(cluster: Cluster, machine: KubeObject, signal: AbortSignal): Promise<void> {
  const { settings, azure } = cluster;
  const resourceGroup =
    textAt(machine, "spec", "providerSpec", "value", "resourceGroup") || settings.platform.resourceGroup;
  await deleteInstance(
    azure.connect(await readCredentials(cluster)),
    resourceGroup,
    machine.metadata.name,
    signal,
  );
}

async function writeFailure(cluster: Cluster, machine: KubeObject, failure: MachineFailure): Promise<void> {
  const status = failedStatus(machine, failure, cluster.clock.now());
  await writeStatus(cluster.client, resources.machines, machine, status);
}

async function writeFinalizers(
  { client }: Cluster,
  machine: KubeObject,
  finalizers: readonly string[],
): Promise<void> {
  await client.update(resources.machines, { ...machine, metadata: { ...machine.metadata, finalizers } });
}
