import { managedGroupOf, parseSubnetId, storageAccountNames } from "@keelson/model";
import type { ClusterContext } from "../context/context.ts";
import { deployTemplate, managedGroupDeployment } from "../managed-group/deploy-template.ts";
import type { TemplateResource } from "../managed-group/template-resource.ts";
import { clusterSubnetIds } from "../network/cluster-subnets.ts";
import { hasStorageEndpoint } from "../network/subnet-policies.ts";
import {
  blobContainer,
  graphContainer,
  ignitionContainer,
  storageAccount,
} from "./storage-account-template.ts";

/** Updates the network rules of the storage accounts. Does nothing if the cluster has no storage accounts. */
export async function migrateStorageAccounts(context: ClusterContext): Promise<void> {
  const accounts = await storageAccounts(context, false);
  if (accounts.length > 0) await deployTemplate(context, managedGroupDeployment, accounts);
}

/** Returns the storage accounts of a new cluster, with their containers. */
export async function newStorageAccounts(context: ClusterContext): Promise<readonly TemplateResource[]> {
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

async function storageSubnets(context: ClusterContext): Promise<readonly string[]> {
  const { cluster, azure, signal } = context;
  const ids = await clusterSubnetIds(context);
  const found = await Promise.all(
    ids.map(async (id) => {
      const { resourceGroup, virtualNetwork, name } = parseSubnetId(id);
      const call = azure.call(signal);
      const subnet = await azure.network.subnets.get(resourceGroup, virtualNetwork, name, call);
      return hasStorageEndpoint(subnet, cluster.location) ? [id] : [];
    }),
  );
  return found.flat();
}
