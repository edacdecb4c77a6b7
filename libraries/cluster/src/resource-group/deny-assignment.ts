import { type OpenShiftCluster, usesWorkloadIdentity } from "@keelson/model";
import type { ClusterContext } from "../context/context.ts";
import { serviceObjectId, spObjectIdOf } from "../credentials/service-principal.ts";
import { idOf, operatorIdentities } from "../identity/platform-identities.ts";
import { deployTemplate, managedGroupDeployment } from "../managed-group/deploy-template.ts";
import { type TemplateResource, templateResource } from "../managed-group/template-resource.ts";

/**
 * Updates the deny assignment of the managed resource group, because its excluded principals change with the cluster's identity.
 * If the identity is unknown, maintenance continues without the update.
 */
export async function createOrUpdateDenyAssignment(context: ClusterContext): Promise<void> {
  const { cluster, logger } = context;
  if (cluster.properties.provisioningState === "AdminUpdating" && !isIdentityKnown(cluster)) {
    logger.warn({}, "the deny assignment is unchanged: the cluster's identity is not known");
    return;
  }
  const resources = await denyAssignments(context);
  if (resources.length > 0) await deployTemplate(context, managedGroupDeployment, resources);
}

/** Returns the deny assignment of the managed resource group. Empty in environments without deny assignments. */
export async function denyAssignments(context: ClusterContext): Promise<readonly TemplateResource[]> {
  const { cluster, environment } = context;
  if (environment.disableDenyAssignments) return [];
  const { resourceGroupId } = cluster.properties.clusterProfile;
  const excluded = usesWorkloadIdentity(cluster)
    ? [...operatorIdentities(cluster).map((each) => idOf(each, "objectId")), await serviceObjectId(context)]
    : [spObjectIdOf(cluster)];
  return [denyAssignment(resourceGroupId, [...new Set(excluded)])];
}

function isIdentityKnown(cluster: OpenShiftCluster): boolean {
  if (!usesWorkloadIdentity(cluster)) return Boolean(cluster.properties.servicePrincipalProfile?.spObjectId);
  return operatorIdentities(cluster).every(({ objectId }) => objectId);
}

/** Do not change this name. With a different name, existing clusters would get a second deny assignment. */
const name = "[guid(resourceGroup().id, 'ARO cluster resource group deny assignment')]";

const everyone = { id: "00000000-0000-0000-0000-000000000000", type: "SystemDefined" };

/** Actions that the deny assignment still allows: snapshots, alerts, tags, and repairs by the customers' Azure policies. */
const notActions = [
  "Microsoft.Compute/disks/beginGetAccess/action",
  "Microsoft.Compute/disks/endGetAccess/action",
  "Microsoft.Compute/disks/write",
  "Microsoft.Insights/ActionGroups/write",
  "Microsoft.Insights/ActionGroups/delete",
  "Microsoft.Insights/MetricAlerts/write",
  "Microsoft.Insights/MetricAlerts/delete",
  "Microsoft.Insights/ActivityLogAlerts/write",
  "Microsoft.Insights/ActivityLogAlerts/delete",
  "Microsoft.Compute/snapshots/beginGetAccess/action",
  "Microsoft.Compute/snapshots/delete",
  "Microsoft.Compute/snapshots/endGetAccess/action",
  "Microsoft.Compute/snapshots/write",
  "Microsoft.Network/networkInterfaces/effectiveRouteTable/action",
  "Microsoft.Network/networkSecurityGroups/join/action",
  "Microsoft.Resources/tags/*",
  "Microsoft.PolicyInsights/remediations/write",
  "Microsoft.PolicyInsights/remediations/delete",
];

/**
 * Returns a deny assignment that forbids changes of the managed resource group. It does not apply to the principals in
 * `excludedIds` (Azure/ARO-RP pkg/cluster/deploybaseresources_additional.go).
 */
function denyAssignment(groupId: string, excludedIds: readonly string[]): TemplateResource {
  return templateResource("Microsoft.Authorization/denyAssignments", name, {
    properties: {
      denyAssignmentName: name,
      permissions: [{ actions: ["*/action", "*/delete", "*/write"], notActions }],
      scope: groupId,
      principals: [everyone],
      excludePrincipals: excludedIds.map((id) => ({ id, type: "ServicePrincipal" })),
      isSystemProtected: true,
    },
  });
}
