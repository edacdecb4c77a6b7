import type { KubeObject } from "@keelson/apiserver";
import { stringAt } from "@keelson/base";
import { addFinalizer, done, type ReconcileScope, type Result, removeFinalizer } from "@keelson/controller";
import { conditionStatus, type ObjectKey } from "@keelson/kube";
import { stringMapAt } from "../../base/fields.ts";
import { ensureDeleted, writeStatus } from "../../base/objects.ts";
import { resources } from "../../base/resources.ts";
import type { Cluster } from "../../runtime/cluster.ts";
import { inProcessApi } from "../../runtime/in-process-api.ts";
import { operatorVersion } from "../cluster-operators/plan.ts";
import { drainNode, setSchedulable } from "../drain/drain-node.ts";
import { readCredentials } from "./cluster-credentials.ts";
import { failureOf, failureReasons, type MachineFailure } from "./failure.ts";
import { createInstance, deleteInstance, instanceExists } from "./instance.ts";
import { excludeDrainAnnotation, hooksOf, instanceLost, machineFinalizer, planMachine } from "./plan.ts";
import { parseProviderSpec } from "./provider-spec.ts";
import { deletionStatus, failedStatus, instanceStatus, phaseStatus, withInstance } from "./status.ts";
import { workerUserData } from "./user-data.ts";

export async function reconcileMachine(
  key: ObjectKey,
  cluster: Cluster,
  { signal }: ReconcileScope,
): Promise<Result> {
  const { client, clock } = cluster;
  if (!(await machineApiRuns(cluster))) return done;
  const machine = await client.find(resources.machines, key);
  if (!machine) return done;
  const { name } = machine.metadata;
  const node = await client.find(resources.nodes, { name });
  const change = planMachine({ machine, node, vm: cluster.machines.find(name) });
  switch (change.kind) {
    case "none":
      return done;
    case "adopt":
      await addFinalizer(inProcessApi(client), resources.machines, machine, machineFinalizer, signal);
      return done;
    case "set-phase":
      await writeStatus(client, resources.machines, machine, phaseStatus(machine, change.phase, clock.now()));
      return done;
    case "fail":
      await writeFailure(cluster, machine, change.failure);
      return done;
    case "create-instance":
      return create(cluster, machine, signal);
    case "report": {
      const zone = stringAt(machine, "spec", "providerSpec", "value", "zone");
      const wanted = withInstance(machine, change.vm, zone);
      const current = wanted === machine ? machine : await client.update(resources.machines, wanted);
      const status = instanceStatus(current, change.phase, change.vm, node, clock.now());
      await writeStatus(client, resources.machines, current, status);
      return done;
    }
    case "confirm-loss":
      if (await exists(cluster, machine, signal)) return { requeueAfterMs: lossCheckMs };
      await writeFailure(cluster, machine, instanceLost);
      return done;
    case "drain":
      return drain(cluster, machine, node);
    case "delete-instance":
      await remove(cluster, machine, signal);
      await ensureDeleted(client, resources.nodes, { name });
      await removeFinalizer(inProcessApi(client), resources.machines, machine, machineFinalizer, signal);
      return done;
  }
}

/** True if the machine-api operator has rolled out. Before that, Machines are not reconciled. */
async function machineApiRuns({ client }: Cluster): Promise<boolean> {
  const operator = await client.find(resources.clusterOperators, { name: "machine-api" });
  return operator !== undefined && operatorVersion(operator) !== undefined;
}

/** Returns the failure that an injected fault causes for the Machine. Undefined if no fault applies. */
function requestedFailure({ faults }: Cluster, machine: KubeObject): MachineFailure | undefined {
  const owner = machine.metadata.ownerReferences?.find(({ kind }) => kind === "MachineSet")?.name;
  const fault = faults
    .of("machine-create")
    .find(({ parameters }) => parameters.machineSet === undefined || parameters.machineSet === owner);
  if (!fault) return undefined;
  const { reason, message = `the fault ${fault.id} was asked for` } = fault.parameters;
  const known = failureReasons.find((each) => each === reason) ?? "CreateError";
  return { reason: known, message: String(message) };
}

async function create(cluster: Cluster, machine: KubeObject, signal: AbortSignal): Promise<Result> {
  const { settings, azure } = cluster;
  const asked = requestedFailure(cluster, machine);
  if (asked) {
    await writeFailure(cluster, machine, asked);
    return done;
  }
  try {
    const spec = parseProviderSpec(machine, settings);
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
    return done;
  }
  // The hypervisor's report of the new machine triggers the next reconciliation. The requeue covers a lost report.
  return { requeueAfterMs: 5_000 };
}

/**
 * Interval in milliseconds at which the controller checks in Azure whether a machine exists that the hypervisor does not report.
 */
const lossCheckMs = 1_000;

async function exists(cluster: Cluster, machine: KubeObject, signal: AbortSignal): Promise<boolean> {
  const azure = cluster.azure.connect(await readCredentials(cluster));
  return instanceExists(azure, resourceGroupOf(cluster, machine), machine.metadata.name, signal);
}

/** Drains the Machine's node within the disruption budgets. An annotation or a lifecycle hook can block the drain. */
async function drain(cluster: Cluster, machine: KubeObject, node: KubeObject | undefined): Promise<Result> {
  const { client, clock, timings } = cluster;
  const waits = hooksOf(machine, "preDrain");
  const write = (drained: Parameters<typeof deletionStatus>[1]) =>
    writeStatus(client, resources.machines, machine, deletionStatus(machine, drained, clock.now()));
  if (waits.length > 0) {
    await write({ kind: "held", hooks: waits });
    return done;
  }
  const excluded = excludeDrainAnnotation in stringMapAt(machine, "metadata", "annotations");
  if (node && !excluded) {
    await setSchedulable(client, node, false);
    // The drain of a stopped machine does not wait for the pods, because the stopped kubelet cannot confirm their termination.
    const running = cluster.machines.find(machine.metadata.name)?.runningSince !== undefined;
    const fault = cluster.faults
      .of("drain-error")
      .find(({ parameters }) => (parameters.node ?? node.metadata.name) === node.metadata.name);
    const outcome = fault
      ? {
          kind: "blocked" as const,
          message: String(fault.parameters.message ?? `the fault ${fault.id} was asked for`),
        }
      : await drainNode(cluster, node, {
          force: !running,
          unreachable: conditionStatus(node, "Ready") === "Unknown",
        });
    if (outcome.kind === "blocked") await write({ kind: "failed", message: outcome.message });
    if (outcome.kind !== "drained") return { requeueAfterMs: timings.drainRetryMs };
  }
  await write({ kind: "drained", skipped: excluded || !node });
  return done;
}

function resourceGroupOf({ settings }: Cluster, machine: KubeObject): string {
  return (
    stringAt(machine, "spec", "providerSpec", "value", "resourceGroup") || settings.platform.resourceGroup
  );
}

async function remove(cluster: Cluster, machine: KubeObject, signal: AbortSignal): Promise<void> {
  await deleteInstance(
    cluster.azure.connect(await readCredentials(cluster)),
    resourceGroupOf(cluster, machine),
    machine.metadata.name,
    signal,
  );
}

async function writeFailure(cluster: Cluster, machine: KubeObject, failure: MachineFailure): Promise<void> {
  const status = failedStatus(machine, failure, cluster.clock.now());
  await writeStatus(cluster.client, resources.machines, machine, status);
}
