import { numberAt, stringAt, valueAt } from "@keelson/base";
import { type KubeClient, type KubeObject, objectFields, resources } from "@keelson/kube";
import type { MachineSets, MachineSetView, Machines, MachineView } from "@keelson/portal-api";

const namespace = "openshift-machine-api";
const none = "None";

const role = "machine.openshift.io/cluster-api-machine-role";

const machineFields = objectFields({
  metadata: { creationTimestamp: true },
  status: {
    phase: true,
    lastUpdated: true,
    errorReason: true,
    errorMessage: true,
    lastOperation: { description: true, lastUpdated: true },
  },
});
const machineSetFields = objectFields({
  metadata: { creationTimestamp: true },
  spec: {
    replicas: true,
    template: {
      metadata: { labels: { [role]: true } },
      spec: {
        providerSpec: {
          value: {
            publicLoadBalancer: true,
            vmSize: true,
            subnet: true,
            vnet: true,
            osDisk: { managedDisk: { storageAccountType: true } },
          },
        },
      },
    },
  },
  status: { replicas: true, errorReason: true, errorMessage: true },
});

/** Reads the cluster's Machines. */
export async function readMachines(kube: KubeClient, signal: AbortSignal): Promise<Machines> {
  const { items } = await kube.list(resources.machines, { namespace, fields: machineFields }, signal);
  return { machines: items.map(machineView) };
}

/** Reads the cluster's MachineSets. */
export async function readMachineSets(kube: KubeClient, signal: AbortSignal): Promise<MachineSets> {
  const { items } = await kube.list(resources.machineSets, { namespace, fields: machineSetFields }, signal);
  return { machines: items.map(machineSetView) };
}

function machineView(machine: KubeObject): MachineView {
  const status = (...path: string[]) => stringAt(machine, "status", ...path);
  return {
    name: machine.metadata.name ?? "",
    createdTime: stringAt(machine, "metadata", "creationTimestamp") ?? "",
    lastUpdated: status("lastUpdated") ?? "",
    errorReason: status("errorReason") ?? none,
    errorMessage: status("errorMessage") ?? none,
    lastOperation: status("lastOperation", "description") ?? "",
    lastOperationDate: status("lastOperation", "lastUpdated") ?? "",
    status: status("phase") ?? "Unknown",
  };
}

function machineSetView(set: KubeObject): MachineSetView {
  const template = valueAt(set, "spec", "template");
  const provider = valueAt(template, "spec", "providerSpec", "value");
  const createdAt = stringAt(set, "metadata", "creationTimestamp") ?? "";
  const desiredReplicas = integerAt(set, "spec") ?? 1;
  const errorReason = stringAt(set, "status", "errorReason") ?? none;
  const errorMessage = stringAt(set, "status", "errorMessage") ?? none;
  const publicLoadBalancerName = stringAt(provider, "publicLoadBalancer") ?? "";
  const vmSize = stringAt(provider, "vmSize") ?? "";
  const accountStorageType = stringAt(provider, "osDisk", "managedDisk", "storageAccountType") ?? "";
  return {
    name: set.metadata.name ?? "",
    type: roleOf(template),
    createdAt,
    createdat: createdAt,
    desiredReplicas,
    desiredreplicas: desiredReplicas,
    replicas: integerAt(set, "status") ?? 0,
    errorReason,
    errorreason: errorReason,
    errorMessage,
    errormessage: errorMessage,
    publicLoadBalancerName,
    publicloadbalancername: publicLoadBalancerName,
    vmSize,
    vmsize: vmSize,
    accountStorageType,
    accountstoragetype: accountStorageType,
    subnet: stringAt(provider, "subnet") ?? "",
    vnet: stringAt(provider, "vnet") ?? "",
  };
}

function integerAt(set: KubeObject, part: "spec" | "status"): number | undefined {
  const replicas = numberAt(set, part, "replicas");
  return Number.isSafeInteger(replicas) ? replicas : undefined;
}

function roleOf(template: unknown): string {
  return stringAt(template, "metadata", "labels", role) ?? "";
}
