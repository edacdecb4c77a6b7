import type { ClusterDetail, ClusterSummary } from "@keelson/portal-api";
import { exampleClusters } from "./example-clusters.ts";

/** The detail of a cluster of the list. */
export const detailOf = (summary: ClusterSummary): ClusterDetail => ({
  name: summary.name,
  subscription: summary.subscription,
  resourceGroup: summary.resourceGroup,
  resourceId: summary.resourceId.toLowerCase(),
  location: "westeurope",
  provisioningState: summary.provisioningState,
  failedProvisioningState: summary.failedProvisioningState,
  lastProvisioningState: "Succeeded",
  lastAdminUpdateError: "",
  version: summary.version,
  createdAt: summary.createdAt,
  createdBy: "admin@example.com",
  lastModified: summary.lastModified,
  lastModifiedBy: "admin@example.com",
  provisionedBy: summary.provisionedBy,
  architectureVersion: "2",
  infraId: `${summary.name}-x7k2p`,
  apiServerVisibility: "Public",
  apiServerUrl: `https://api.${summary.name}.westeurope.aroapp.io:6443/`,
  consoleUrl: `https://console-openshift-console.apps.${summary.name}.westeurope.aroapp.io/`,
  installStatus: "Installed",
  maintenanceState: "None",
  exceededLimits: "",
});

const [demo] = exampleClusters;
if (!demo) throw new Error("no example cluster");
export const exampleDetail: ClusterDetail = detailOf(demo);
