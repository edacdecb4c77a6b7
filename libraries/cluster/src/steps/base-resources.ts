import { resourceNameOf } from "@keelson/arm";
import {
  azureNames,
  infraIdOf,
  managedGroupOf,
  type OpenShiftCluster,
  parseSubnetId,
  storageAccountNames,
  subnetsOf,
  usesWorkloadIdentity,
} from "@keelson/model";
import type { ClusterContext } from "../context.ts";
import { denyAssignment } from "../templates/deny-assignment.ts";
import { deployTemplate } from "../templates/deploy-template.ts";
import { gatewayPrivateEndpoint, privateLinkService } from "../templates/private-link.ts";
import {
  blobContributor,
  builtInRoles,
  identityRole,
  servicePrincipalRole,
} from "../templates/role-assignments.ts";
import {
  blobContainer,
  graphContainer,
  ignitionContainer,
  storageAccount,
} from "../templates/storage-accounts.ts";
import { bodyOf, type TemplateResource, templateResource } from "../templates/template-resource.ts";
import { internalLoadBalancer, publicLoadBalancer } from "./load-balancers.ts";
import { networkSecurityGroup } from "./network-security-group.ts";
import { planOutboundIps } from "./outbound-ips.ts";
import { idOf, operatorIdentities, operatorIdentitiesWithRoles } from "./platform-identities.ts";
import { publicIp, publicIpNames } from "./public-ips.ts";
import { assignedRoles } from "./role-assignments.ts";
import { serviceObjectId, spObjectIdOf } from "./service-principal.ts";
import { hasStorageEndpoint } from "./subnet-policies.ts";

/** Under which the objects of the managed group were deployed: their history is found by this name. */
const deploymentName = "storage";

/**
 * Deploys everything of Azure that a cluster consists of before its machines, in one template (Azure/ARO-RP
 * pkg/cluster/deploybaseresources.go). What a former try has made stays as it is.
 */
export async function deployBaseResourceTemplate(context: ClusterContext): Promise<void> {
  await planOutboundIps(context);
  await deployTemplate(context, deploymentName, [
    ...(await newStorageAccounts(context)),
    ...networkResources(context),
    ...(await roleResources(context)),
    ...(await denyAssignments(context)),
  ]);
}

/**
 * Writes the deny assignment of the managed group anew: whom it leaves alone changes with the cluster's identity.
 * Maintenance does not fail where that is not known.
 */
export async function createOrUpdateDenyAssignment(context: ClusterContext): Promise<void> {
  const { cluster, logger } = context;
  if (cluster.properties.provisioningState === "AdminUpdating" && !isIdentityKnown(cluster)) {
    logger.warn({}, "the deny assignment is left as it is: the cluster's identity is not known");
    return;
  }
  const resources = await denyAssignments(context);
  if (resources.length > 0) await deployTemplate(context, deploymentName, resources);
}

/** Brings the network rules of the storage accounts up to date. Clusters without accounts stay without. */
export async function migrateStorageAccounts(context: ClusterContext): Promise<void> {
  const accounts = await storageAccounts(context, false);
  if (accounts.length > 0) await deployTemplate(context, deploymentName, accounts);
}

async function newStorageAccounts(context: ClusterContext): Promise<readonly TemplateResource[]> {
  const { cluster, registry } = storageAccountNames(context.cluster);
  if (!cluster || !registry) throw new Error("the cluster's storage accounts have no names yet");
  return [
    ...(await storageAccounts(context, true)),
    blobContainer(cluster, ignitionContainer),
    blobContainer(cluster, graphContainer),
    blobContainer(registry, "image-registry"),
  ];
}

async function storageAccounts(
  context: ClusterContext,
  isNew: boolean,
): Promise<readonly TemplateResource[]> {
  const names = storageAccountNames(context.cluster);
  const present = isNew ? undefined : await presentAccounts(context);
  const { network } = context.environment;
  const clusterSubnetIds = await storageSubnets(context);
  return (["cluster", "registry"] as const).flatMap((kind) => {
    const name = names[kind];
    return name && present?.has(name) !== false
      ? [storageAccount(context.cluster, { name, kind, network, clusterSubnetIds, isNew })]
      : [];
  });
}

async function presentAccounts({ cluster, azure, signal }: ClusterContext): Promise<ReadonlySet<string>> {
  const filter = "resourceType eq 'Microsoft.Storage/storageAccounts'";
  const options = { ...azure.call(signal), filter };
  const accounts = azure.resources.resources.listByResourceGroup(managedGroupOf(cluster), options);
  return new Set(await Array.fromAsync(accounts, ({ name = "" }) => name));
}

async function storageSubnets({ cluster, azure, signal }: ClusterContext): Promise<readonly string[]> {
  const found = await Promise.all(
    subnetsOf(cluster).map(async ({ id }) => {
      const { resourceGroup, virtualNetwork, name } = parseSubnetId(id);
      const call = azure.call(signal);
      const subnet = await azure.network.subnets.get(resourceGroup, virtualNetwork, name, call);
      return hasStorageEndpoint(subnet, cluster.location) ? [id] : [];
    }),
  );
  return found.flat();
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

/** What is assigned already, under whatever name, is left out: Azure refuses to assign a role twice. */
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

async function denyAssignments(context: ClusterContext): Promise<readonly TemplateResource[]> {
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
