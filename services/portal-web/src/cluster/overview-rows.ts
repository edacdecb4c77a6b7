import type { ClusterDetail } from "@keelson/portal-api";
import { stateOf } from "../clusters/cluster-rows.ts";
import { formatTime } from "../display/time.ts";

export interface OverviewRow {
  readonly name: string;
  readonly value: string;
  readonly href?: string | undefined;
  /** Time (RFC 3339), if the value is a time. */
  readonly at?: string;
  /** True if the row has a copy button. Values that people use in commands have this button. */
  readonly copy?: boolean;
  /** Index of the row in the Azure/ARO-RP portal. The browser tests of Azure/ARO-RP find the row by this index. */
  readonly index?: number;
}

export interface OverviewGroup {
  readonly title: string;
  readonly rows: readonly OverviewRow[];
}

/**
 * Returns the properties of a cluster, grouped by subject. Rows of the Azure/ARO-RP portal keep their names and their indexes 0
 * to 17 (test/e2e/admin_portal.go). If the portal has an earlier version than this page, rows about the cluster's configuration
 * are missing.
 */
export function overviewGroups(cluster: ClusterDetail): readonly OverviewGroup[] {
  return [
    { title: "Identity", rows: identityRows(cluster) },
    { title: "State and versions", rows: versionRows(cluster) },
    { title: "Network", rows: networkRows(cluster) },
    { title: "Compute", rows: computeRows(cluster) },
  ];
}

function identityRows(cluster: ClusterDetail): readonly OverviewRow[] {
  const { tags = {} } = cluster;
  return [
    original(13, "Name", cluster.name, { copy: true }),
    original(15, "Resource Id", cluster.resourceId, { copy: true }),
    row("Subscription", cluster.subscription, { copy: true }),
    row("Resource Group", cluster.resourceGroup, { copy: true }),
    row("Managed Resource Group", cluster.managedResourceGroup, { copy: true }),
    original(12, "Location", cluster.location),
    original(7, "Infra Id", cluster.infraId, { copy: true }),
    row("Domain", cluster.domain, { copy: true }),
    row("Creator", cluster.creator),
    original(4, "Created At", formatTime(cluster.createdAt), { at: cluster.createdAt }),
    original(10, "Last Modified By", cluster.lastModifiedBy),
    original(9, "Last Modified At", formatTime(cluster.lastModified), { at: cluster.lastModified }),
    row("Credential", cluster.credential),
    row("Client Id", cluster.clientId, { copy: true }),
    row(
      "Tags",
      Object.entries(tags)
        .map(([name, value]) => `${name}=${value}`)
        .join(", "),
    ),
  ];
}

function versionRows(cluster: ClusterDetail): readonly OverviewRow[] {
  return [
    original(14, "Provisioning State", stateOf(cluster)),
    original(11, "Last Provisioning State", cluster.lastProvisioningState),
    original(6, "Failed Provisioning State", cluster.failedProvisioningState),
    original(8, "Last Admin Update Error", cluster.lastAdminUpdateError),
    original(17, "Installation Status", cluster.installStatus),
    row("Maintenance State", cluster.maintenanceState),
    original(16, "Version", cluster.version),
    original(2, "Architecture Version", cluster.architectureVersion),
    original(5, "Created By", cluster.createdBy),
    row("Provisioned By", cluster.provisionedBy),
    row("Operator Version", cluster.operatorVersion),
    row("Exceeded Response Limits", cluster.exceededLimits),
  ];
}

function networkRows(cluster: ClusterDetail): readonly OverviewRow[] {
  const { consoleUrl, consoleReachable = true, network } = cluster;
  const isLink = consoleReachable && consoleUrl.startsWith("https://");
  return [
    original(0, "ApiServer Visibility", cluster.apiServerVisibility),
    original(1, "ApiServer URL", cluster.apiServerUrl, { copy: true }),
    row("ApiServer IP", network?.apiServerIp, { copy: true }),
    original(3, "Console Link", consoleUrl, { copy: true, href: isLink ? consoleUrl : undefined }),
    row("Ingress Visibility", network?.ingressVisibility),
    row("Ingress IP", network?.ingressIp, { copy: true }),
    row("Pod CIDR", network?.podCidr),
    row("Service CIDR", network?.serviceCidr),
    row("Network Plugin", network?.plugin),
    row("Outbound Type", network?.outboundType),
    row("Preconfigured NSG", network?.preconfiguredNsg),
    row("Private Endpoint IP", network?.privateEndpointIp, { copy: true }),
  ];
}

function computeRows({ masters, workers = [] }: ClusterDetail): readonly OverviewRow[] {
  return [
    row("Master Size", masters?.vmSize),
    row("Master Subnet", masters?.subnet, { copy: true }),
    ...workers.flatMap(({ name, vmSize, diskSizeGB, count, subnet }) => [
      row(`Workers ${name}`, `${count} × ${vmSize}, ${diskSizeGB} GB`),
      row(`Subnet ${name}`, subnet, { copy: true }),
    ]),
  ];
}

type Extras = Pick<OverviewRow, "at" | "copy" | "href">;

const row = (name: string, value: string | undefined, extras: Extras = {}): OverviewRow => ({
  name,
  value: value || "–",
  ...(value ? extras : {}),
});

const original = (index: number, name: string, value: string, extras: Extras = {}): OverviewRow => ({
  ...row(name, value, extras),
  index,
});
