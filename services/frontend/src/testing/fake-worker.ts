import { randomUUID } from "node:crypto";
import { type CloudErrorBody, resourceKey } from "@keelson/arm";
import { Secret } from "@keelson/base";
import { create, remove, replace, type Stored } from "@keelson/database";
import type {
  ClusterDocument,
  ClusterProperties,
  OpenShiftCluster,
  OperationDocument,
  ServiceDatabase,
} from "@keelson/model";
import type { ClusterAddress } from "./cluster-request.ts";

const signal = new AbortController().signal;

/** Secrets of a finished test cluster. Only responses with credentials may contain them. */
export const secrets = {
  kubeadminPassword: "kubeadmin-password-of-the-test",
  userAdminKubeconfig: "kind: Config # for customers",
  adminKubeconfig: "kind: Config # of the installer",
};

/** Completes a creation or update like a worker. One commit writes the result and releases the cluster. */
export async function succeed(database: ServiceDatabase, address: ClusterAddress): Promise<void> {
  const { document } = await storedCluster(database, address);
  const {
    failedProvisioningState: _,
    lastProvisioningState: __,
    ...rest
  } = document.openShiftCluster.properties;
  await finish(database, address, {
    ...rest,
    provisioningState: "Succeeded",
    kubeadminPassword: new Secret(secrets.kubeadminPassword),
    userAdminKubeconfig: new Secret(secrets.userAdminKubeconfig),
    adminKubeconfig: new Secret(secrets.adminKubeconfig),
  });
}

/** Completes an operation with a permanent failure, like a worker. */
export async function fail(
  database: ServiceDatabase,
  address: ClusterAddress,
  error: CloudErrorBody,
  change: Partial<ClusterProperties> = {},
): Promise<void> {
  const { properties } = (await storedCluster(database, address)).document.openShiftCluster;
  const failedProvisioningState = properties.provisioningState;
  await finish(
    database,
    address,
    { ...properties, provisioningState: "Failed", failedProvisioningState, ...change },
    error,
  );
}

/** Completes a deletion like a worker. */
export async function finishDeletion(database: ServiceDatabase, address: ClusterAddress): Promise<void> {
  const stored = await storedCluster(database, address);
  const operation = await storedOperation(database, stored.document);
  const { clusters, operations } = database.collections;
  await commit(database, address, [
    remove(clusters, stored),
    replace(operations, operation, ended(operation.document, "Succeeded")),
  ]);
}

/** Writes the operation's result without releasing the cluster. The service must not show this intermediate state to clients. */
export async function endOperationOnly(database: ServiceDatabase, address: ClusterAddress): Promise<void> {
  const { document } = await storedCluster(database, address);
  const operation = await storedOperation(database, document);
  const { operations } = database.collections;
  await commit(database, address, [
    replace(operations, operation, ended(operation.document, "Succeeded", document.openShiftCluster)),
  ]);
}

/** Writes the progress of an operation, like a worker after each step. */
export async function reportProgress(database: ServiceDatabase, address: ClusterAddress): Promise<void> {
  const operation = await storedOperation(database, (await storedCluster(database, address)).document);
  const asyncOperation = {
    ...operation.document.asyncOperation,
    percentComplete: 25,
    properties: { step: "createMachines", completedSteps: 5, totalSteps: 20 },
  };
  const { operations } = database.collections;
  await commit(database, address, [
    replace(operations, operation, { ...operation.document, asyncOperation }),
  ]);
}

export async function addVersion(
  database: ServiceDatabase,
  version: string,
  options: { readonly default?: boolean; readonly enabled?: boolean } = {},
): Promise<void> {
  const document = {
    id: randomUUID(),
    partitionKey: "versions",
    openShiftVersion: {
      properties: {
        version,
        openShiftPullspec: `registry.example/release:${version}`,
        installerPullspec: `registry.example/installer:${version}`,
        enabled: options.enabled ?? true,
        default: options.default ?? false,
      },
    },
  };
  const result = await database.commit("versions", [create(database.collections.versions, document)], {
    signal,
  });
  if (result.kind !== "committed") throw new Error(`version ${version}: ${result.kind}`);
}

export async function storedCluster(
  database: ServiceDatabase,
  { subscriptionId, id }: ClusterAddress,
): Promise<Stored<ClusterDocument>> {
  const { clusters } = database.collections;
  const stored = await clusters.findBy(subscriptionId, "key", resourceKey(id), signal);
  if (!stored) throw new Error(`no cluster ${id}`);
  return stored;
}

export async function operationsOf(
  database: ServiceDatabase,
  subscriptionId: string,
): Promise<readonly OperationDocument[]> {
  const query = { partitionKey: subscriptionId, limit: 100 };
  const { items } = await database.collections.operations.list(query, signal);
  return items.map((item) => item.document);
}

async function finish(
  database: ServiceDatabase,
  address: ClusterAddress,
  properties: ClusterProperties,
  error?: CloudErrorBody,
): Promise<void> {
  const stored = await storedCluster(database, address);
  const operation = await storedOperation(database, stored.document);
  const { asyncOperationId: _, correlationData: __, ...document } = stored.document;
  const openShiftCluster = { ...document.openShiftCluster, properties };
  const { clusters, operations } = database.collections;
  const status = error ? "Failed" : "Succeeded";
  await commit(database, address, [
    replace(clusters, stored, { ...document, openShiftCluster }),
    replace(operations, operation, ended(operation.document, status, openShiftCluster, error)),
  ]);
}

function ended(
  document: OperationDocument,
  status: "Succeeded" | "Failed",
  openShiftCluster?: OpenShiftCluster,
  error?: CloudErrorBody,
): OperationDocument {
  return {
    ...document,
    asyncOperation: {
      ...document.asyncOperation,
      status,
      endTime: new Date().toISOString(),
      ...(error ? { error } : {}),
    },
    ...(openShiftCluster ? { openShiftCluster } : {}),
  };
}

async function storedOperation(
  database: ServiceDatabase,
  { partitionKey, asyncOperationId = "" }: ClusterDocument,
): Promise<Stored<OperationDocument>> {
  const stored = await database.collections.operations.find(partitionKey, asyncOperationId, signal);
  if (!stored) throw new Error(`no operation ${asyncOperationId}`);
  return stored;
}

async function commit(
  database: ServiceDatabase,
  { subscriptionId }: ClusterAddress,
  writes: Parameters<ServiceDatabase["commit"]>[1],
): Promise<void> {
  const result = await database.commit(subscriptionId, writes, { signal });
  if (result.kind !== "committed") throw new Error(`the fake worker's commit ended as ${result.kind}`);
}
