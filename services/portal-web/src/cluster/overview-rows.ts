import type { ClusterDetail } from "@keelson/portal-api";
import { stateOf } from "../clusters/cluster-rows.ts";
import { formatTime } from "../display/time.ts";

export interface OverviewRow {
  readonly name: string;
  readonly value: string;
  readonly href?: string;
}

/** Names and order of the first 18 are the original's (Azure/ARO-RP test/e2e/admin_portal.go). */
export function overviewRows(cluster: ClusterDetail): readonly OverviewRow[] {
  return [
    row("ApiServer Visibility", cluster.apiServerVisibility),
    row("ApiServer URL", cluster.apiServerUrl),
    row("Architecture Version", cluster.architectureVersion),
    {
      ...row("Console Link", cluster.consoleUrl),
      ...(cluster.consoleUrl.startsWith("https://") ? { href: cluster.consoleUrl } : {}),
    },
    row("Created At", formatTime(cluster.createdAt)),
    row("Created By", cluster.createdBy),
    row("Failed Provisioning State", cluster.failedProvisioningState),
    row("Infra Id", cluster.infraId),
    row("Last Admin Update Error", cluster.lastAdminUpdateError),
    row("Last Modified At", formatTime(cluster.lastModified)),
    row("Last Modified By", cluster.lastModifiedBy),
    row("Last Provisioning State", cluster.lastProvisioningState),
    row("Location", cluster.location),
    row("Name", cluster.name),
    row("Provisioning State", stateOf(cluster)),
    row("Resource Id", cluster.resourceId),
    row("Version", cluster.version),
    row("Installation Status", cluster.installStatus),
    row("Subscription", cluster.subscription),
    row("Resource Group", cluster.resourceGroup),
    row("Provisioned By", cluster.provisionedBy),
    row("Maintenance State", cluster.maintenanceState),
    row("Exceeded Response Limits", cluster.exceededLimits),
  ];
}

const row = (name: string, value: string): OverviewRow => ({ name, value: value || "–" });
