import { formatResourceId, parseResourceId, sameResource } from "@keelson/arm";
import { type KubeClient, type KubeObject, numberAt, resources, textAt, valueAt } from "@keelson/kube";
import type { OpenShiftCluster, WorkerProfile } from "@keelson/model";
import { machineNamespace } from "../installers/worker-machine-sets.ts";
import { firstWorkerProfile, parseSubnetId } from "../steps/cluster-facts.ts";

/** The label that says whether a machine is a master or a worker. */
export const machineRole = "machine.openshift.io/cluster-api-machine-role";

/** All MachineSets, by name: those of workers, and what customers add for the platform's own applications. */
export async function machineSets(kube: KubeClient, signal: AbortSignal): Promise<readonly KubeObject[]> {
  const { items } = await kube.list(resources.machineSets, { namespace: machineNamespace }, signal);
  return items.toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
}

/** The MachineSets of workers, by name. */
export async function workerMachineSets(
  kube: KubeClient,
  signal: AbortSignal,
): Promise<readonly KubeObject[]> {
  const isOfWorkers = (set: KubeObject) =>
    textAt(set, "spec", "template", "metadata", "labels", machineRole) === "worker";
  return (await machineSets(kube, signal)).filter(isOfWorkers);
}

/** The workers of a MachineSet as clients see them. What it does not say is as the cluster was asked for. */
export function workerProfileOf(cluster: OpenShiftCluster, set: KubeObject): WorkerProfile {
  const { diskEncryptionSetId: _, ...first } = firstWorkerProfile(cluster);
  const machine = valueAt(set, "spec", "template", "spec", "providerSpec", "value");
  const diskEncryptionSetId = textAt(machine, "osDisk", "managedDisk", "diskEncryptionSet", "id");
  return {
    ...first,
    name: set.metadata.name,
    vmSize: textAt(machine, "vmSize") ?? first.vmSize,
    diskSizeGB: numberAt(machine, "osDisk", "diskSizeGB") ?? first.diskSizeGB,
    subnetId: subnetIdOf(machine, first.subnetId),
    count: replicasOf(set),
    encryptionAtHost:
      valueAt(machine, "securityProfile", "encryptionAtHost") === true ? "Enabled" : "Disabled",
    ...(diskEncryptionSetId === undefined ? {} : { diskEncryptionSetId }),
  };
}

/** In the case of the request, where it is in the network that was asked for. */
function subnetIdOf(machine: unknown, requested: string): string {
  const { subscriptionId = "" } = parseResourceId(requested) ?? {};
  const { resourceGroup, virtualNetwork, virtualNetworkId, name } = parseSubnetId(requested);
  const group = textAt(machine, "networkResourceGroup") ?? resourceGroup;
  const network = textAt(machine, "vnet") ?? virtualNetwork;
  const subnet = textAt(machine, "subnet") ?? name;
  const path = [["virtualNetworks", network]] as const;
  const id = formatResourceId({ subscriptionId, resourceGroup: group, namespace: "Microsoft.Network", path });
  return `${sameResource(id, virtualNetworkId) ? virtualNetworkId : id}/subnets/${subnet}`;
}

export function replicasOf(set: KubeObject): number {
  return numberAt(set, "spec", "replicas") ?? 1;
}
