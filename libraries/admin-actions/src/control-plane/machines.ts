import { CloudError } from "@keelson/arm";
import { stringAt } from "@keelson/base";
import { type KubeObject, resources } from "@keelson/kube";
import type { ActionContext } from "../context/action-context.ts";

/** Number of control plane machines. */
export const controlPlaneReplicas = 3;

export const machineNamespace = "openshift-machine-api";
export const instanceTypeLabel = "machine.openshift.io/instance-type";
const roleLabel = "machine.openshift.io/cluster-api-machine-role";

/** Machine of the control plane. Its virtual machine and its node have the same name. */
export interface ControlPlaneMachine {
  readonly name: string;
  readonly size: string;
}

/**
 * Returns the Machines of the masters.
 * @throws KubeError
 */
export async function masterMachines(context: ActionContext): Promise<readonly KubeObject[]> {
  const selection = { namespace: machineNamespace, labelSelector: `${roleLabel}=master` };
  return (await context.kube().list(resources.machines, selection, context.signal)).items;
}

/**
 * Lists the control plane machines, sorted by name.
 * @throws CloudError for a Machine without a size; KubeError
 */
export async function controlPlaneMachines(context: ActionContext): Promise<readonly ControlPlaneMachine[]> {
  return (await masterMachines(context)).map(machineOf).sort((a, b) => (a.name < b.name ? -1 : 1));
}

function machineOf(machine: KubeObject): ControlPlaneMachine {
  const { name } = machine.metadata;
  const size = stringAt(machine, "spec", "providerSpec", "value", "vmSize");
  if (size === undefined) {
    const message = `failed to parse provider spec for machine ${name}: it has no vmSize`;
    throw new CloudError("InternalServerError", message, { target: `controlPlaneMachine/${name}` });
  }
  return { name, size };
}
