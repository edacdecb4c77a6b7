import { parseResourceId, resourceGroupNameOf } from "@keelson/arm";
import type { ServicePrincipal } from "@keelson/azure";
import type { OpenShiftCluster, WorkerProfile } from "@keelson/model";
import type { ClusterContext } from "../context.ts";
import { clusterDomain } from "../domain.ts";
import { azureNames } from "../names.ts";

export const controlPlaneReplicas = 3;

/** The infrastructure ID, which an earlier step has stored. */
export function infraIdOf(cluster: OpenShiftCluster): string {
  const { infraId } = cluster.properties;
  if (!infraId) throw new Error("the cluster has no infraId yet");
  return infraId;
}

/** The name of the resource group that holds the cluster's own objects. */
export function managedGroupOf(cluster: OpenShiftCluster): string {
  const name = resourceGroupNameOf(cluster.properties.clusterProfile.resourceGroupId);
  if (!name) throw new Error("clusterProfile.resourceGroupId is not a resource group");
  return name;
}

export function firstWorkerProfile(cluster: OpenShiftCluster): WorkerProfile {
  const [profile] = cluster.properties.workerProfiles;
  if (!profile) throw new Error("the cluster has no worker profile");
  return profile;
}

/** The ID of an object of Microsoft.Network in the managed group. */
export function networkId(cluster: OpenShiftCluster, type: string, name: string): string {
  return `${cluster.properties.clusterProfile.resourceGroupId}/providers/Microsoft.Network/${type}/${name}`;
}

export function networkSecurityGroupId(cluster: OpenShiftCluster): string {
  return networkId(cluster, "networkSecurityGroups", azureNames(infraIdOf(cluster)).networkSecurityGroup);
}

/** Azure's names of regions in the form in which Kubernetes objects may carry them. */
export function regionOf(cluster: OpenShiftCluster): string {
  return cluster.location.toLowerCase().replaceAll(" ", "");
}

export function domainOf({ cluster, environment }: ClusterContext) {
  return clusterDomain(cluster.properties.clusterProfile.domain, environment.domain);
}

export interface SubnetRef {
  readonly resourceGroup: string;
  readonly virtualNetwork: string;
  readonly name: string;
  readonly virtualNetworkId: string;
}

/** The parts of a subnet's ID, which validation has checked. */
export function parseSubnetId(subnetId: string): SubnetRef {
  const id = parseResourceId(subnetId);
  const [network, subnet] = id?.path ?? [];
  if (!id || !network || !subnet) throw new Error(`${subnetId} is not the ID of a subnet`);
  const virtualNetworkId = subnetId.slice(0, subnetId.lastIndexOf("/subnets/"));
  return { resourceGroup: id.resourceGroup, virtualNetwork: network[1], name: subnet[1], virtualNetworkId };
}

/** The subnets of the cluster with the paths of the fields that name them, each subnet once. */
export function subnetsOf(
  cluster: OpenShiftCluster,
): readonly { readonly id: string; readonly path: string }[] {
  const all = [
    { id: cluster.properties.masterProfile.subnetId, path: "properties.masterProfile.subnetId" },
    ...presentWorkers(cluster).map(({ path, profile }) => ({
      id: profile.subnetId,
      path: `${path}.subnetId`,
    })),
  ];
  const key = (id: string) => id.toLowerCase();
  return all.filter((each, index) => all.findIndex((other) => key(other.id) === key(each.id)) === index);
}

/** The workers that there are; before the installation has ended, those that were asked for. */
export function presentWorkers({
  properties: { workerProfiles, workerProfilesStatus = [] },
}: OpenShiftCluster): readonly { readonly path: string; readonly profile: WorkerProfile }[] {
  const [member, profiles] =
    workerProfilesStatus.length > 0
      ? ["workerProfilesStatus", workerProfilesStatus]
      : ["workerProfiles", workerProfiles];
  return profiles.map((profile, index) => ({ path: `properties.${member}[${index}]`, profile }));
}

/** The identity that the cluster itself acts as in Azure. */
export function servicePrincipalOf({ cluster, environment, subscription }: ClusterContext): ServicePrincipal {
  const profile = cluster.properties.servicePrincipalProfile;
  if (!profile) throw new Error("the cluster has no service principal");
  return {
    tenantId: environment.tenantIdOf(subscription),
    clientId: profile.clientId,
    clientSecret: profile.clientSecret,
  };
}
