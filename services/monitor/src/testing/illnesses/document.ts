import type { Illness } from "./illness.ts";

const identity =
  "/subscriptions/s/resourceGroups/g/providers/Microsoft.ManagedIdentity/userAssignedIdentities/i";

/** Faults that are visible in the cluster's document. */
export const documentIllnesses: readonly Illness[] = [
  {
    collector: "emitClusterProvisioning",
    title: "a cluster whose update failed",
    change: (properties) => ({
      ...properties,
      provisioningState: "Failed",
      failedProvisioningState: "Updating",
    }),
    well: [["cluster.provisioning", 1, { provisioningState: "Succeeded", failedProvisioningState: "" }]],
    ill: [["cluster.provisioning", 1, { provisioningState: "Failed", failedProvisioningState: "Updating" }]],
  },
  {
    collector: "emitMaintenanceState",
    title: "a cluster that waits for its owner",
    change: (properties) => ({ ...properties, maintenanceState: "CustomerActionNeeded" }),
    well: [["cluster.maintenance.pucm", 1, { state: "none" }]],
    ill: [["cluster.maintenance.pucm", 1, { state: "customerActionNeeded" }]],
  },
  {
    collector: "emitClusterAuthenticationType",
    title: "a cluster of managed identities",
    change: ({ servicePrincipalProfile: _, ...properties }) => ({
      ...properties,
      platformWorkloadIdentityProfile: { platformWorkloadIdentities: { ingress: { resourceId: identity } } },
    }),
    well: [["cluster.AuthenticationType", 1, { type: "servicePrincipal" }]],
    ill: [["cluster.AuthenticationType", 1, { type: "managedIdentity" }]],
  },
];
