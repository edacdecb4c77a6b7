import {
  formatResourceId,
  isResourceName,
  parseResourceId,
  parseResourceIdOfCluster,
  sameResource,
} from "@keelson/arm";
import { numberAt, stringAt, valueAt } from "@keelson/base";
import { type KubeClient, type KubeObject, objectFields, resources } from "@keelson/kube";
import { firstWorkerProfile, type OpenShiftCluster, parseSubnetId, type WorkerProfile } from "@keelson/model";

export const machineNamespace = "openshift-machine-api";

/** Label for the role of a machine: master or worker. */
export const machineRole = "machine.openshift.io/cluster-api-machine-role";

/** Maximum number of MachineSets to read. It is four times the number in the largest supported cluster. */
const maxObjects = 8_000;

const fields = objectFields({
  metadata: { resourceVersion: true },
  spec: {
    replicas: true,
    template: {
      metadata: { labels: { [machineRole]: true } },
      spec: {
        providerSpec: {
          value: {
            vmSize: true,
            subnet: true,
            vnet: true,
            networkResourceGroup: true,
            osDisk: { diskSizeGB: true, managedDisk: { diskEncryptionSet: { id: true } } },
            securityProfile: { encryptionAtHost: true },
          },
        },
      },
    },
  },
});

const maxNameLength = 90;
const maxIdLength = 2_048;
const maxInteger = 2 ** 31 - 1;

/** Returns all MachineSets, including those that customers added, sorted by name. */
export async function machineSets(
  kube: Pick<KubeClient, "list">,
  signal: AbortSignal,
): Promise<readonly KubeObject[]> {
  const selection = { namespace: machineNamespace, fields, maxObjects };
  const { items } = await kube.list(resources.machineSets, selection, signal);
  return items.toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
}

/** Returns the MachineSets with worker machines, sorted by name. */
export async function workerMachineSets(
  kube: Pick<KubeClient, "list">,
  signal: AbortSignal,
): Promise<readonly KubeObject[]> {
  const isOfWorkers = (set: KubeObject) =>
    stringAt(set, "spec", "template", "metadata", "labels", machineRole) === "worker";
  return (await machineSets(kube, signal)).filter(isOfWorkers);
}

/** Converts a MachineSet to a worker profile. If the MachineSet lacks a value, the value comes from the requested profile. */
export function workerProfileOf(cluster: OpenShiftCluster, set: KubeObject): WorkerProfile {
  const { diskEncryptionSetId: _, ...first } = firstWorkerProfile(cluster);
  const machine = valueAt(set, "spec", "template", "spec", "providerSpec", "value");
  const diskEncryptionSetId = diskEncryptionSetOf(cluster, machine);
  return {
    ...first,
    name: set.metadata.name,
    vmSize: nameAt(machine, "vmSize") ?? first.vmSize,
    diskSizeGB: countAt(machine, "osDisk", "diskSizeGB") ?? first.diskSizeGB,
    subnetId: subnetIdOf(machine, first.subnetId),
    count: replicasOf(set),
    encryptionAtHost:
      valueAt(machine, "securityProfile", "encryptionAtHost") === true ? "Enabled" : "Disabled",
    ...(diskEncryptionSetId === undefined ? {} : { diskEncryptionSetId }),
  };
}

/**
 * Returns the ID of a machine's subnet. If the subnet is in the requested virtual network, the network's part of the ID is
 * spelled as in the request.
 */
function subnetIdOf(machine: unknown, requested: string): string {
  const { subscriptionId = "" } = parseResourceId(requested) ?? {};
  const { resourceGroup, virtualNetwork, virtualNetworkId, name } = parseSubnetId(requested);
  const group = nameAt(machine, "networkResourceGroup") ?? resourceGroup;
  const network = nameAt(machine, "vnet") ?? virtualNetwork;
  const subnet = nameAt(machine, "subnet") ?? name;
  const path = [["virtualNetworks", network]] as const;
  const id = formatResourceId({ subscriptionId, resourceGroup: group, namespace: "Microsoft.Network", path });
  return `${sameResource(id, virtualNetworkId) ? virtualNetworkId : id}/subnets/${subnet}`;
}

export function replicasOf(set: KubeObject): number {
  return countAt(set, "spec", "replicas") ?? 1;
}

/** Reads the name of an Azure resource or machine size from a Machine. Returns undefined for names that Azure would reject. */
function nameAt(machine: unknown, member: string): string | undefined {
  const text = stringAt(machine, member);
  return text !== undefined && text.length <= maxNameLength && isResourceName(text) ? text : undefined;
}

function countAt(value: unknown, ...path: readonly string[]): number | undefined {
  const count = numberAt(value, ...path);
  return count !== undefined && Number.isInteger(count) && count >= 0 && count <= maxInteger
    ? count
    : undefined;
}

function diskEncryptionSetOf({ id }: OpenShiftCluster, machine: unknown): string | undefined {
  const text = stringAt(machine, "osDisk", "managedDisk", "diskEncryptionSet", "id");
  if (text === undefined || text.length > maxIdLength) return undefined;
  const subscriptionId = parseResourceId(id)?.subscriptionId ?? "";
  const type = "Microsoft.Compute/diskEncryptionSets";
  return parseResourceIdOfCluster(text, { subscriptionId, type }) ? text : undefined;
}
