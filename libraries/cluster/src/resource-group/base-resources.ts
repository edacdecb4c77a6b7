import { resourceNameOf } from "@keelson/arm";
import { azureNames, infraIdOf, storageAccountNames, usesWorkloadIdentity } from "@keelson/model";
import type { ClusterContext } from "../context/context.ts";
import { serviceObjectId, spObjectIdOf } from "../credentials/service-principal.ts";
import { idOf, operatorIdentitiesWithRoles } from "../identity/platform-identities.ts";
import { assignedRoles } from "../identity/role-assignments.ts";
import {
  blobContributor,
  builtInRoles,
  identityRole,
  servicePrincipalRole,
} from "../identity/role-templates.ts";
import { internalLoadBalancer, publicLoadBalancer } from "../load-balancer/load-balancers.ts";
import { planOutboundIps } from "../load-balancer/outbound-ips.ts";
import { publicIp, publicIpNames } from "../load-balancer/public-ips.ts";
import { deployTemplate, managedGroupDeployment } from "../managed-group/deploy-template.ts";
import { bodyOf, type TemplateResource, templateResource } from "../managed-group/template-resource.ts";
import { networkSecurityGroup } from "../network/network-security-group.ts";
import { gatewayPrivateEndpoint, privateLinkService } from "../private-link/private-link-template.ts";
import { newStorageAccounts } from "../storage/storage-accounts.ts";
import { denyAssignments } from "./deny-assignment.ts";

/**
 * Deploys the Azure resources of a cluster in one template, except the machines (Azure/ARO-RP
 * pkg/cluster/deploybaseresources.go). Does not remove existing resources.
 */
export async function deployBaseResourceTemplate(context: ClusterContext): Promise<void> {
  await planOutboundIps(context);
  await deployTemplate(context, managedGroupDeployment, [
    ...(await newStorageAccounts(context)),
    ...networkResources(context),
    ...(await roleResources(context)),
    ...(await denyAssignments(context)),
  ]);
}

function networkResources({ cluster, environment }: ClusterContext): readonly TemplateResource[] {
  const names = azureNames(infraIdOf(cluster));
  const addresses = publicIpNames(cluster);
  const { gateway } = environment.network;
  const resource = (type: string, name: string, model: object, dependsOn: readonly string[] = []) =>
    templateResource(`Microsoft.Network/${type}`, name, bodyOf(model), dependsOn);
  const isOutbound = cluster.properties.networkProfile.outboundType === "Loadbalancer";
  const needed = addresses.map((name) => `Microsoft.Network/publicIPAddresses/${name}`);
  return [
    resource("networkSecurityGroups", names.networkSecurityGroup, networkSecurityGroup(cluster)),
    resource("loadBalancers", names.internalLoadBalancer, internalLoadBalancer(cluster)),
    privateLinkService(cluster, environment.subscriptionId),
    ...addresses.map((name) => resource("publicIPAddresses", name, publicIp(cluster))),
    ...(isOutbound
      ? [resource("loadBalancers", names.publicLoadBalancer, publicLoadBalancer(cluster), needed)]
      : []),
    ...(gateway ? [gatewayPrivateEndpoint(cluster, gateway)] : []),
  ];
}

/**
 * Returns the missing role assignments. An existing assignment counts regardless of its name, because Azure rejects a second
 * assignment of the same role.
 */
async function roleResources(context: ClusterContext): Promise<readonly TemplateResource[]> {
  const { cluster } = context;
  const isAssigned = await assignedRoles(context);
  if (!usesWorkloadIdentity(cluster)) {
    const principalId = spObjectIdOf(cluster);
    return isAssigned(principalId, builtInRoles.contributor) ? [] : [servicePrincipalRole(principalId)];
  }
  const identities = await operatorIdentitiesWithRoles(context);
  const ofOperators = identities.flatMap((identity) => {
    const principalId = idOf(identity, "objectId");
    return identity.roles
      .map(({ roleDefinitionId }) => resourceNameOf(roleDefinitionId))
      .filter((roleId) => !isAssigned(principalId, roleId))
      .map((roleId) => identityRole(roleId, principalId));
  });
  const { cluster: account } = storageAccountNames(cluster);
  return [...ofOperators, ...(account ? [blobContributor(account, await serviceObjectId(context))] : [])];
}
