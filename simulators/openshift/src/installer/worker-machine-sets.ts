import { machineImage, type Release } from "@keelson/installers";
import {
  azureNames,
  distribute,
  firstWorkerProfile,
  infraIdOf,
  type MachineImage,
  managedGroupOf,
  type OpenShiftCluster,
  parseSubnetId,
  regionOf,
} from "@keelson/model";
import { machineNamespace } from "../controllers/nodes/node-object.ts";

/** Number of MachineSets: one for each availability zone of a region. */
const machineSetCount = 3;

/** Returns the MachineSets of the first worker profile: `{infraId}-worker-{location}{1..3}`. */
export function workerMachineSets(cluster: OpenShiftCluster, release: Pick<Release, "machineImages">) {
  const { count } = firstWorkerProfile(cluster);
  const image = machineImage(cluster, release);
  return distribute(count, machineSetCount).map((replicas, index) =>
    machineSet(cluster, image, index + 1, replicas),
  );
}

function machineSet(cluster: OpenShiftCluster, image: MachineImage, number: number, replicas: number) {
  const infraId = infraIdOf(cluster);
  const name = `${infraId}-worker-${regionOf(cluster)}${number}`;
  const clusterLabel = { "machine.openshift.io/cluster-api-cluster": infraId };
  const roleLabels = {
    "machine.openshift.io/cluster-api-machine-role": "worker",
    "machine.openshift.io/cluster-api-machine-type": "worker",
  };
  const setLabel = { "machine.openshift.io/cluster-api-machineset": name };
  return {
    apiVersion: "machine.openshift.io/v1beta1",
    kind: "MachineSet",
    metadata: { name, namespace: machineNamespace, labels: { ...clusterLabel, ...roleLabels } },
    spec: {
      replicas,
      selector: { matchLabels: { ...clusterLabel, ...setLabel } },
      template: {
        metadata: {
          labels: { ...clusterLabel, ...roleLabels, ...setLabel },
        },
        spec: { providerSpec: { value: workerProviderSpec(cluster, image, number) } },
      },
    },
  } as const;
}

/** Returns the AzureMachineProviderSpec of a worker (openshift/api machine/v1beta1). */
function workerProviderSpec(cluster: OpenShiftCluster, image: MachineImage, number: number) {
  const profile = firstWorkerProfile(cluster);
  const infraId = infraIdOf(cluster);
  const subnet = parseSubnetId(profile.subnetId);
  const zone = cluster.properties.zones?.[(number - 1) % cluster.properties.zones.length];
  const { publicLoadBalancer } = azureNames(infraId);
  return {
    apiVersion: "machine.openshift.io/v1beta1",
    kind: "AzureMachineProviderSpec",
    credentialsSecret: { name: "azure-cloud-credentials", namespace: machineNamespace },
    userDataSecret: { name: "worker-user-data" },
    location: regionOf(cluster),
    vmSize: profile.vmSize,
    image: { ...image, resourceID: "", type: "MarketplaceNoPlan" },
    osDisk: {
      osType: "Linux",
      diskSizeGB: profile.diskSizeGB,
      managedDisk: {
        storageAccountType: "Premium_LRS",
        ...(profile.diskEncryptionSetId ? { diskEncryptionSet: { id: profile.diskEncryptionSetId } } : {}),
      },
    },
    ...(profile.encryptionAtHost === "Enabled" ? { securityProfile: { encryptionAtHost: true } } : {}),
    publicIP: false,
    ...(cluster.properties.networkProfile.outboundType === "Loadbalancer" ? { publicLoadBalancer } : {}),
    resourceGroup: managedGroupOf(cluster),
    networkResourceGroup: subnet.resourceGroup,
    vnet: subnet.virtualNetwork,
    subnet: subnet.name,
    ...(zone ? { zone } : {}),
  };
}
