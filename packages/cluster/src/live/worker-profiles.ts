import { type KubeClient, type KubeObject, numberAt, resources, textAt } from "@keelson/kube";
import type { OpenShiftCluster, WorkerProfile } from "@keelson/model";
import { machineNamespace } from "../installers/worker-machine-sets.ts";
import { firstWorkerProfile, parseSubnetId } from "../steps/cluster-facts.ts";

/** The label that says whether a machine is a master or a worker. */
export const machineRole = "machine.openshift.io/cluster-api-machine-role";

/** The MachineSets of workers, by name. */
export async function workerMachineSets(
  kube: KubeClient,
  signal: AbortSignal,
): Promise<readonly KubeObject[]> {
  const { items } = await kube.list(resources.machineSets, { namespace: machineNamespace }, signal);
  const isOfWorkers = (set: KubeObject) =>
    textAt(set, "spec", "template", "metadata", "labels", machineRole) === "worker";
  return items.filter(isOfWorkers).toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
}

/** The workers of a MachineSet as clients see them. What it does not say is as the cluster was asked for. */
export function workerProfileOf(cluster: OpenShiftCluster, set: KubeObject): WorkerProfile {
  const spec = ["spec", "template", "spec", "providerSpec", "value"] as const;
  const first = firstWorkerProfile(cluster);
  const network = parseSubnetId(first.subnetId).virtualNetworkId;
  const subnet = textAt(set, ...spec, "subnet");
  return {
    ...first,
    name: set.metadata.name,
    vmSize: textAt(set, ...spec, "vmSize") ?? first.vmSize,
    diskSizeGB: numberAt(set, ...spec, "osDisk", "diskSizeGB") ?? first.diskSizeGB,
    subnetId: subnet === undefined ? first.subnetId : `${network}/subnets/${subnet}`,
    count: replicasOf(set),
  };
}

export function replicasOf(set: KubeObject): number {
  return numberAt(set, "spec", "replicas") ?? 1;
}
