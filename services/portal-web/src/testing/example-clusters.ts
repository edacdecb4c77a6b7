import type { ClusterSummary } from "@keelson/portal-api";

const subscription = "3f6cdb6a-1c52-4c57-9a3f-0a4a6f2f7f10";

function cluster(key: string, name: string, changes: Partial<ClusterSummary> = {}): ClusterSummary {
  const resourceGroup = changes.resourceGroup ?? "keelson";
  const failed = changes.failedProvisioningState ?? "";
  return {
    key,
    name,
    subscription,
    resourceGroup,
    resourceId: `/subscriptions/${subscription}/resourceGroups/${resourceGroup}/providers/Microsoft.RedHatOpenShift/openShiftClusters/${name}`,
    provisioningState: "Succeeded",
    failedProvisioningState: failed,
    failedprovisioningState: failed,
    version: "4.19.9",
    createdAt: "2026-11-20T08:12:44Z",
    lastModified: "2026-11-26T14:02:10Z",
    provisionedBy: "a17b3d0c4f52e6a7",
    ...changes,
  };
}

/** In the order of their keys, as the portal answers them. */
export const exampleClusters: readonly ClusterSummary[] = [
  cluster("1", "demo"),
  cluster("2", "payments-production", { resourceGroup: "payments", version: "4.18.22" }),
  cluster("3", "payments-staging", {
    resourceGroup: "payments",
    version: "4.19.10",
    provisioningState: "Updating",
    createdAt: "2026-10-02T11:40:00Z",
  }),
  cluster("4", "analytics", {
    resourceGroup: "data",
    provisioningState: "Failed",
    failedProvisioningState: "Creating",
    version: "",
    createdAt: "Unknown",
  }),
  cluster("5", "edge-7", { resourceGroup: "edge", provisioningState: "Deleting", version: "4.17.30" }),
];
