import { CloudError } from "@keelson/arm";
import { isPlainObject, stringAt, valueAt } from "@keelson/base";
import { conditionStatus, type KubeObject, resources } from "@keelson/kube";
import { getVm } from "../azure/virtual-machine.ts";
import type { ActionContext } from "../context/action-context.ts";
import {
  type MachineFacts,
  machineAndNodeProblems,
  machineAndVmProblems,
  machineProblems,
  type NodeFacts,
  nodeProblems,
  type VmFacts,
  vmProblems,
} from "../kubernetes/control-plane-inventory.ts";
import { instanceTypeLabel, masterMachines } from "./machines.ts";

const masterLabel = "node-role.kubernetes.io/master";

/**
 * Compares the masters' Machines, virtual machines and nodes. Each master must have all three, and they must be healthy. Their
 * sizes and zones must match. The comparisons run in a fixed order. The error lists all problems of the first comparison that
 * fails.
 * @throws CloudError InternalServerError; NotFound for a missing virtual machine; KubeError of the cluster
 */
export async function checkControlPlane(context: ActionContext): Promise<void> {
  const machines = (await masterMachines(context)).map(machineFacts);
  complain("control plane machine inventory is inconsistent: ", machineProblems(machines));
  const vms = await Promise.all(machines.map(({ name }) => vmFacts(context, name)));
  complain("", vmProblems(vms));
  complain(
    "control plane machine and Azure VM inventory is inconsistent: ",
    machineAndVmProblems(machines, vms),
  );
  const masters = { labelSelector: `${masterLabel}=` };
  const found = await context.kube().list(resources.nodes, masters, context.signal);
  const nodes = found.items.map(nodeFacts);
  complain("", nodeProblems(nodes));
  complain(
    "control plane machine and node inventory is inconsistent: ",
    machineAndNodeProblems(machines, nodes),
  );
}

function complain(prefix: string, problems: readonly string[]): void {
  if (problems.length > 0) throw new CloudError("InternalServerError", prefix + problems.join(" | "));
}

function machineFacts(machine: KubeObject): MachineFacts {
  const { name, labels = {} } = machine.metadata;
  const spec = valueAt(machine, "spec", "providerSpec", "value");
  if (!isPlainObject(spec)) {
    throw new CloudError(
      "InternalServerError",
      `failed to parse provider spec for machine ${name}: provider spec value is nil`,
      { target: `controlPlaneMachine/${name}` },
    );
  }
  return {
    name,
    phase: stringAt(machine, "status", "phase") ?? "",
    labelZone: labels["machine.openshift.io/zone"] ?? "",
    specZone: stringAt(spec, "zone") ?? "",
    labelSize: labels[instanceTypeLabel] ?? "",
    specSize: stringAt(spec, "vmSize") ?? "",
  };
}

async function vmFacts(context: ActionContext, name: string): Promise<VmFacts> {
  const { instanceView, hardwareProfile, zones } = await getVm(context, name);
  return {
    name,
    statuses: (instanceView?.statuses ?? []).flatMap(({ code }) => code ?? []),
    size: hardwareProfile?.vmSize ?? "",
    zone: zones?.[0] ?? "",
  };
}

function nodeFacts(node: KubeObject): NodeFacts {
  const { name, labels = {} } = node.metadata;
  const ready = conditionStatus(node, "Ready");
  return {
    name,
    unschedulable: valueAt(node, "spec", "unschedulable") === true,
    ready: ready === undefined || ready === "True",
    size: labels["node.kubernetes.io/instance-type"] ?? "",
    betaSize: labels["beta.kubernetes.io/instance-type"] ?? "",
  };
}
