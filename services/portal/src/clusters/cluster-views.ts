import { parseResourceId, resourceGroupNameOf } from "@keelson/arm";
import type { ExceededLimit } from "@keelson/kube";
import type { ClusterDocument, ClusterProperties } from "@keelson/model";
import type { ClusterDetail, ClusterHealth, ClusterSummary } from "@keelson/portal-api";

const unknown = "Unknown";

/** A cluster in the list of all. */
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

/** A cluster as its document has it. */
export function clusterDetail(
  { key, openShiftCluster }: ClusterDocument,
  exceeded: readonly ExceededLimit[],
  health: ClusterHealth,
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
  };
}

/** Reports whether the service has replaced the URLs that the customer's request may have set. */
function isInstalled({ provisioningState, failedProvisioningState, install }: ClusterProperties): boolean {
  return provisioningState !== "Creating" && failedProvisioningState !== "Creating" && install === undefined;
}

/** RFC 3339 in UTC. */
function timeOf(text: string | undefined): string {
  const milliseconds = Date.parse(text ?? "");
  return Number.isNaN(milliseconds) ? unknown : new Date(milliseconds).toISOString();
}
