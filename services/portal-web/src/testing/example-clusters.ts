import type { ClusterHealth, ClusterSummary } from "@keelson/portal-api";

const subscription = "3f6cdb6a-1c52-4c57-9a3f-0a4a6f2f7f10";

/** Returns the time `minutes` minutes ago. Observations in the examples are therefore recent. */
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
const observed = {
  observedAt: minutesAgo(2),
  staleAt: minutesAgo(-28),
  apiServer: 200,
  nodes: 6,
  certificateDays: 80,
};
const healthy: ClusterHealth = {
  ...observed,
  state: "Available",
  reason: "Healthy",
  since: "2026-11-20T08:50:00Z",
  problems: [],
};
const degraded: ClusterHealth = {
  ...observed,
  state: "Degraded",
  reason: "NodesNotReady",
  since: "2026-11-26T13:00:00Z",
  certificateDays: 12,
  problems: [
    { kind: "DegradedOperators", count: 2, names: ["ingress", "monitoring"] },
    { kind: "NotReadyNodes", count: 1, names: ["payments-production-x7k2p-worker-1"] },
    { kind: "CriticalAlerts", count: 1, names: ["KubeNodeUnreachable"] },
    { kind: "WarningAlerts", count: 9, names: ["ClusterOperatorDegraded", "KubeNodeNotReady"] },
  ],
};
const notObserved: ClusterHealth = { state: "Unknown", reason: "NotObserved", problems: [] };

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
    location: "westeurope",
    health: healthy,
    ...changes,
  };
}

/** Example clusters ordered by key, like in the portal's response. */
export const exampleClusters: readonly ClusterSummary[] = [
  cluster("1", "demo"),
  cluster("2", "payments-production", {
    resourceGroup: "payments",
    version: "4.18.22",
    location: "northeurope",
    health: degraded,
  }),
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
    health: notObserved,
  }),
  cluster("5", "edge-7", { resourceGroup: "edge", provisioningState: "Deleting", version: "4.17.30" }),
];
