import { randomUUID } from "node:crypto";
import { clusterId, type ProvisioningState, type ResourceKey, resourceGroupId } from "@keelson/arm";
import type { ServicePrincipal } from "@keelson/azure";
import { Secret } from "@keelson/base";
import { create, replace } from "@keelson/database";
import {
  type ClusterDocument,
  clusterKeys,
  type OpenShiftCluster,
  type OperationDocument,
  type ServiceDatabase,
  type SubscriptionState,
} from "@keelson/model";
import { signal } from "./store.ts";

const someSubscription = "11111111-1111-4111-8111-111111111111";
const someSubnet = (name: string) =>
  `/subscriptions/${someSubscription}/resourceGroups/network/providers/Microsoft.Network/virtualNetworks/vnet/subnets/${name}`;

export async function putSubscription(
  database: ServiceDatabase,
  subscriptionId: string,
  state: SubscriptionState = "Registered",
): Promise<void> {
  const { subscriptions } = database.collections;
  const document = {
    id: subscriptionId,
    partitionKey: subscriptionId,
    deleting: state === "Deleted",
    subscription: { state },
  };
  const stored = await subscriptions.find(subscriptionId, subscriptionId, signal);
  const write = stored ? replace(subscriptions, stored, document) : create(subscriptions, document);
  await database.commit(subscriptionId, [write], { signal });
}

export interface NewCluster {
  readonly name: string;
  readonly subscriptionId?: string;
  readonly principal?: ServicePrincipal;
  readonly masterSubnetId?: string;
  readonly workerSubnetId?: string;
  readonly workers?: number;
  readonly state?: ProvisioningState;
}

/** A cluster as the frontend makes it; what is not given leads nowhere. */
export function newCluster(wanted: NewCluster): OpenShiftCluster {
  const { name, subscriptionId = someSubscription, principal } = wanted;
  return {
    id: clusterId(subscriptionId, "Customer", name),
    name,
    type: "Microsoft.RedHatOpenShift/openShiftClusters",
    location: "eastus",
    properties: {
      provisioningState: wanted.state ?? "Creating",
      architectureVersion: 1,
      createdAt: "2026-01-01T00:00:00Z",
      createdBy: "test",
      clusterProfile: {
        domain: name,
        version: "4.19.24",
        resourceGroupId: resourceGroupId(subscriptionId, `aro-${name}`).toLowerCase(),
      },
      servicePrincipalProfile: {
        clientId: principal?.clientId ?? randomUUID(),
        clientSecret: principal?.clientSecret ?? new Secret("none"),
      },
      networkProfile: {
        podCidr: "10.128.0.0/14",
        serviceCidr: "172.30.0.0/16",
        outboundType: "Loadbalancer",
        preconfiguredNSG: "Disabled",
        loadBalancerProfile: { managedOutboundIps: { count: 1 } },
      },
      masterProfile: { vmSize: "Standard_D8s_v3", subnetId: wanted.masterSubnetId ?? someSubnet("master") },
      workerProfiles: [
        {
          name: "worker",
          vmSize: "Standard_D4s_v3",
          diskSizeGB: 128,
          subnetId: wanted.workerSubnetId ?? someSubnet("worker"),
          count: wanted.workers ?? 3,
        },
      ],
      apiserverProfile: { visibility: "Public" },
      ingressProfiles: [{ name: "default", visibility: "Public" }],
    },
  };
}

/** A stored cluster and the operation it waits with. */
export interface QueuedCluster {
  readonly id: string;
  readonly operationId: string;
  readonly partitionKey: string;
  readonly clusterKey: ResourceKey;
}

/** Stores a cluster with an operation for the state it is in, as a request does. */
export async function putCluster(
  database: ServiceDatabase,
  cluster: OpenShiftCluster,
): Promise<QueuedCluster> {
  const { clusters, operations } = database.collections;
  const partitionKey = cluster.id.split("/")[2] ?? "";
  const keys = clusterKeys(cluster);
  const operationId = randomUUID();
  const stored = await clusters.findBy(partitionKey, "key", keys.key, signal);
  const now = new Date();
  const document: ClusterDocument = {
    ...stored?.document,
    ...keys,
    id: stored?.document.id ?? randomUUID(),
    partitionKey,
    bucket: 0,
    asyncOperationId: operationId,
    correlationData: { requestId: randomUUID(), operationId, requestTime: now.toISOString() },
    openShiftCluster: cluster,
  };
  const status = cluster.properties.provisioningState;
  const operation: OperationDocument = {
    id: operationId,
    partitionKey,
    openShiftClusterKey: keys.key,
    asyncOperation: { id: `/${operationId}`, name: operationId, status, startTime: now.toISOString() },
  };
  const write = stored ? replace(clusters, stored, document) : create(clusters, document);
  const result = await database.commit(partitionKey, [write, create(operations, operation)], { signal });
  if (result.kind !== "committed") throw new Error(`the cluster was not stored: ${JSON.stringify(result)}`);
  return { id: document.id, operationId, partitionKey, clusterKey: keys.key };
}

/** Resolves when the operation has ended. */
export async function operationEnd(
  database: ServiceDatabase,
  { operationId, partitionKey }: { readonly operationId: string; readonly partitionKey: string },
  limitMs = 60_000,
): Promise<OperationDocument> {
  const limit = AbortSignal.timeout(limitMs);
  for (;;) {
    const found = await database.collections.operations.find(partitionKey, operationId, limit);
    if (found?.document.asyncOperation.endTime) return found.document;
    await new Promise((resolve) => setTimeout(resolve, 50));
    limit.throwIfAborted();
  }
}

/** The cluster with this resource ID as it is stored. */
export async function readCluster(
  database: ServiceDatabase,
  id: string,
): Promise<OpenShiftCluster | undefined> {
  const partitionKey = id.split("/")[2] ?? "";
  const stored = await database.collections.clusters.findBy(partitionKey, "key", id.toLowerCase(), signal);
  return stored?.document.openShiftCluster;
}
