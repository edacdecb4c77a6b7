import { parseResourceId, resourceGroupNameOf } from "@keelson/arm";
import type { ExceededLimit } from "@keelson/kube";
import {
  type ClusterDocument,
  type ClusterProperties,
  type OpenShiftCluster,
  usesWorkloadIdentity,
} from "@keelson/model";
import type { ClusterDetail, ClusterHealth, ClusterSummary } from "@keelson/portal-api";

const unknown = "Unknown";

/** Returns the summary of a cluster, as it appears in the list of all clusters. */
export function clusterSummary(
  { id, openShiftCluster }: ClusterDocument,
  health: ClusterHealth,
): ClusterSummary {
  const { properties, systemData } = openShiftCluster;
  const failed = properties.failedProvisioningState ?? "";
  return {
    key: id,
    name: openShiftCluster.name,
    subscription: parseResourceId(openShiftCluster.id)?.subscriptionId ?? "",
    resourceGroup: resourceGroupNameOf(openShiftCluster.id) ?? "",
    resourceId: openShiftCluster.id,
    provisioningState: properties.provisioningState,
    failedProvisioningState: failed,
    failedprovisioningState: failed,
    version: properties.clusterProfile.version,
    createdAt: timeOf(properties.createdAt),
    lastModified: timeOf(systemData?.lastModifiedAt),
    provisionedBy: properties.provisionedBy || unknown,
    location: openShiftCluster.location,
    health,
  };
}

export interface DetailContext {
  /** Response limits that this cluster has exceeded. */
  readonly exceeded: readonly ExceededLimit[];
  readonly health: ClusterHealth;
  /** True in a simulated cloud, where clusters have no web console. */
  readonly isSimulated: boolean;
}

/** Returns the details of a cluster from its document. */
export function clusterDetail(
  { key, openShiftCluster }: ClusterDocument,
  { exceeded, health, isSimulated }: DetailContext,
): ClusterDetail {
  const { properties, systemData, name, location } = openShiftCluster;
  const id = parseResourceId(key);
  return {
    name,
    subscription: id?.subscriptionId ?? "",
    resourceGroup: resourceGroupNameOf(key) ?? "",
    resourceId: key,
    location,
    provisioningState: properties.provisioningState,
    failedProvisioningState: properties.failedProvisioningState ?? "",
    lastProvisioningState: properties.lastProvisioningState ?? "",
    lastAdminUpdateError: properties.lastAdminUpdateError ?? "",
    version: properties.clusterProfile.version,
    createdAt: timeOf(properties.createdAt),
    createdBy: properties.createdBy,
    lastModified: timeOf(systemData?.lastModifiedAt),
    lastModifiedBy: systemData?.lastModifiedBy ?? "",
    provisionedBy: properties.provisionedBy || unknown,
    architectureVersion: `${properties.architectureVersion}`,
    infraId: properties.infraId ?? "",
    apiServerVisibility: properties.apiserverProfile.visibility,
    apiServerUrl: properties.apiserverProfile.url ?? "",
    consoleUrl: isInstalled(properties) ? (properties.consoleProfile?.url ?? "") : "",
    installStatus: properties.install?.phase ?? "Installed",
    maintenanceState: properties.maintenanceState ?? "",
    exceededLimits: exceeded.map(({ reader, limit }) => `${limit} (${reader})`).join(", "),
    health,
    ...configurationView(openShiftCluster, isSimulated),
  };
}

type Configuration = Pick<
  ClusterDetail,
  | "creator"
  | "tags"
  | "managedResourceGroup"
  | "domain"
  | "operatorVersion"
  | "credential"
  | "clientId"
  | "consoleReachable"
  | "creationResumable"
  | "network"
  | "masters"
  | "workers"
>;

function configurationView(cluster: OpenShiftCluster, isSimulated: boolean): Configuration {
  const { properties, systemData, tags = {} } = cluster;
  const { clusterProfile, networkProfile, apiserverProfile, masterProfile } = properties;
  const [ingress] = properties.ingressProfiles;
  return {
    creator: systemData?.createdBy ?? "",
    tags: { ...tags },
    managedResourceGroup: clusterProfile.resourceGroupId,
    domain: clusterProfile.domain,
    operatorVersion: properties.operatorVersion ?? "",
    credential: usesWorkloadIdentity(cluster) ? "managed identities" : "service principal",
    clientId: properties.servicePrincipalProfile?.clientId ?? "",
    consoleReachable: !isSimulated && ingress?.visibility !== "Private",
    creationResumable: properties.creationResumable ?? false,
    network: {
      apiServerIp: apiserverProfile.ip ?? "",
      ingressVisibility: ingress?.visibility ?? "",
      ingressIp: ingress?.ip ?? "",
      podCidr: networkProfile.podCidr,
      serviceCidr: networkProfile.serviceCidr,
      plugin: networkProfile.softwareDefinedNetwork ?? "",
      outboundType: networkProfile.outboundType ?? "",
      preconfiguredNsg: networkProfile.preconfiguredNSG ?? "",
      privateEndpointIp: networkProfile.privateEndpointIp ?? "",
    },
    masters: { vmSize: masterProfile.vmSize, subnet: masterProfile.subnetId },
    workers: (properties.workerProfilesStatus ?? properties.workerProfiles).map(
      ({ name, vmSize, diskSizeGB, count, subnetId }) => ({
        name,
        vmSize,
        diskSizeGB,
        count,
        subnet: subnetId,
      }),
    ),
  };
}

/**
 * True if the cluster has been installed. Before the installation, the URLs in the cluster's document come from the customer's
 * request and not from the service.
 */
function isInstalled({ provisioningState, failedProvisioningState, install }: ClusterProperties): boolean {
  return provisioningState !== "Creating" && failedProvisioningState !== "Creating" && install === undefined;
}

/** Formats a time as RFC 3339 in UTC. */
function timeOf(text: string | undefined): string {
  const milliseconds = Date.parse(text ?? "");
  return Number.isNaN(milliseconds) ? unknown : new Date(milliseconds).toISOString();
}
