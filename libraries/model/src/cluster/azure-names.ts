import { resourceGroupNameOf } from "@keelson/arm";
import type { OpenShiftCluster } from "./open-shift-cluster.ts";

/**
 * Returns the infrastructure ID, which is the name prefix of the cluster's Azure resources. An earlier step must have stored the
 * ID.
 */
export function infraIdOf(cluster: OpenShiftCluster): string {
  const { infraId } = cluster.properties;
  if (!infraId) throw new Error("the cluster has no infraId yet");
  return infraId;
}

/** Returns the names of a cluster's Azure resources. */
export function azureNames(infraId: string) {
  return {
    networkSecurityGroup: `${infraId}-nsg`,
    internalLoadBalancer: `${infraId}-internal`,
    publicLoadBalancer: infraId,
    apiPublicIp: `${infraId}-pip-v4`,
    ingressPublicIp: `${infraId}-default-v4`,
    privateLinkService: `${infraId}-pls`,
    gatewayPrivateEndpoint: `${infraId}-pe`,
    bootstrapVm: `${infraId}-bootstrap`,
    bootstrapNic: `${infraId}-bootstrap-nic`,
    bootstrapDisk: `${infraId}-bootstrap_OSDisk`,
    masterVm: (index: number) => `${infraId}-master-${index}`,
    masterNic: (index: number) => `${infraId}-master${index}-nic`,
  } as const;
}

/** Returns the name of the managed resource group. */
export function managedGroupOf(cluster: OpenShiftCluster): string {
  const name = resourceGroupNameOf(cluster.properties.clusterProfile.resourceGroupId);
  if (!name) throw new Error("clusterProfile.resourceGroupId is not a resource group");
  return name;
}

/** Returns the ID of a Microsoft.Network resource in the managed group. */
export function networkId(cluster: OpenShiftCluster, type: string, name: string): string {
  return `${cluster.properties.clusterProfile.resourceGroupId}/providers/Microsoft.Network/${type}/${name}`;
}

export function networkSecurityGroupId(cluster: OpenShiftCluster): string {
  return networkId(cluster, "networkSecurityGroups", azureNames(infraIdOf(cluster)).networkSecurityGroup);
}

/**
 * Returns the normalized name of the cluster's region. "East US" and "EastUS" become `eastus`. Labels, installers and Hive
 * require this form.
 */
export function regionOf(cluster: OpenShiftCluster): string {
  return cluster.location.toLowerCase().replaceAll(" ", "");
}

export interface StorageAccountNames {
  readonly cluster: string;
  readonly registry: string;
}

/**
 * Returns the names of the cluster's storage accounts. Empty if the cluster was created by a release that did not store these
 * names.
 */
export function storageAccountNames({ properties }: OpenShiftCluster): Partial<StorageAccountNames> {
  const { storageSuffix, imageRegistryStorageAccountName: registry } = properties;
  return {
    ...(storageSuffix ? { cluster: `cluster${storageSuffix}` } : {}),
    ...(registry ? { registry } : {}),
  };
}
