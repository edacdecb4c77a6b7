import { randomUUID } from "node:crypto";
import { clusterId, type ProvisioningState, resourceGroupId } from "@keelson/arm";
import type { ServicePrincipal } from "@keelson/azure";
import { silentLogger } from "@keelson/base";
import { create, createKeyring, generateKey, openDatabase, pgliteDriver, replace } from "@keelson/database";
import {
  type ClusterDocument,
  clusterKeys,
  definitions,
  type OpenShiftCluster,
  type OperationDocument,
  type ServiceDatabase,
  type SubscriptionState,
} from "@keelson/model";
import { newOperation } from "../new-operation.ts";
import { location } from "./world.ts";

const signal = AbortSignal.timeout(30 * 60_000);

/** A database in memory. */
export function openStore(): Promise<ServiceDatabase> {
  return openDatabase({
    driver: pgliteDriver({ dataDir: undefined }),
    definitions,
    keyring: createKeyring({ current: "1", keys: { "1": generateKey() } }),
    logger: silentLogger,
    signal,
  });
}

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
  readonly subscriptionId: string;
  readonly principal: ServicePrincipal;
  readonly masterSubnetId: string;
  readonly workerSubnetId: string;
  readonly workers?: number;
  readonly state?: ProvisioningState;
}

/** A cluster as the frontend makes it. */
export function newCluster(wanted: NewCluster): OpenShiftCluster {
  const { name, subscriptionId, principal } = wanted;
  return {
    id: clusterId(subscriptionId, "Customer", name),
    name,
    type: "Microsoft.RedHatOpenShift/openShiftClusters",
    location,
    properties: {
      provisioningState: wanted.state ?? "Creating",
      architectureVersion: 1,
      createdAt: new Date().toISOString(),
      createdBy: "test",
      clusterProfile: {
        domain: name,
        version: "4.19.24",
        resourceGroupId: resourceGroupId(subscriptionId, `aro-${name}`).toLowerCase(),
      },
      servicePrincipalProfile: { clientId: principal.clientId, clientSecret: principal.clientSecret },
      networkProfile: {
        podCidr: "10.128.0.0/14",
        serviceCidr: "172.30.0.0/16",
        outboundType: "Loadbalancer",
        preconfiguredNSG: "Disabled",
        loadBalancerProfile: { managedOutboundIps: { count: 1 } },
      },
      masterProfile: { vmSize: "Standard_D8s_v3", subnetId: wanted.masterSubnetId },
      workerProfiles: [
        {
          name: "worker",
          vmSize: "Standard_D4s_v3",
          diskSizeGB: 128,
          subnetId: wanted.workerSubnetId,
          count: wanted.workers ?? 3,
        },
      ],
      apiserverProfile: { visibility: "Public" },
      ingressProfiles: [{ name: "default", visibility: "Public" }],
    },
  };
}

/** Stores a cluster with an operation for the state it is in, as a request does. */
export async function putCluster(
  database: ServiceDatabase,
  cluster: OpenShiftCluster,
): Promise<{ readonly id: string; readonly operationId: string; readonly partitionKey: string }> {
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
  const operation = newOperation(document, { operationId, location, status, now });
  const write = stored ? replace(clusters, stored, document) : create(clusters, document);
  const result = await database.commit(partitionKey, [write, create(operations, operation)], { signal });
  if (result.kind !== "committed") throw new Error(`the cluster was not stored: ${JSON.stringify(result)}`);
  return { id: document.id, operationId, partitionKey };
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
