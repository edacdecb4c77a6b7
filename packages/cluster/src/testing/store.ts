import { randomUUID } from "node:crypto";
import { resourceKey } from "@keelson/arm";
import { type Clock, silentLogger } from "@keelson/base";
import {
  create,
  createKeyring,
  generateKey,
  type Leased,
  openDatabase,
  pgliteDriver,
} from "@keelson/database";
import {
  type ClusterDocument,
  definitions,
  type OpenShiftCluster,
  type OperationDocument,
  type ServiceDatabase,
} from "@keelson/model";
import { engineErrors } from "../engine/errors.ts";
import type { OperationRef } from "../engine/journal.ts";
import type { LeaseGuard } from "../engine/lease-guard.ts";

export const signal = AbortSignal.timeout(10 * 60_000);

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

const subscriptionId = "11111111-1111-4111-8111-111111111111";

/** The least that is a cluster. */
export function someCluster(name: string): OpenShiftCluster {
  const groupId = `/subscriptions/${subscriptionId}/resourceGroups/aro-${name}`;
  const subnetId = `/subscriptions/${subscriptionId}/resourceGroups/net/providers/Microsoft.Network/virtualNetworks/v/subnets`;
  return {
    id: `/subscriptions/${subscriptionId}/resourceGroups/g/providers/Microsoft.RedHatOpenShift/openShiftClusters/${name}`,
    name,
    type: "Microsoft.RedHatOpenShift/openShiftClusters",
    location: "eastus",
    properties: {
      provisioningState: "Creating",
      architectureVersion: 1,
      createdAt: "2026-01-01T00:00:00Z",
      createdBy: "test",
      clusterProfile: { domain: name, version: "4.19.24", resourceGroupId: groupId },
      networkProfile: {
        podCidr: "10.128.0.0/14",
        serviceCidr: "172.30.0.0/16",
        outboundType: "Loadbalancer",
      },
      masterProfile: { vmSize: "Standard_D8s_v3", subnetId: `${subnetId}/master` },
      workerProfiles: [
        {
          name: "worker",
          vmSize: "Standard_D4s_v3",
          diskSizeGB: 128,
          subnetId: `${subnetId}/worker`,
          count: 3,
        },
      ],
      apiserverProfile: { visibility: "Public" },
      ingressProfiles: [{ name: "default", visibility: "Public" }],
    },
  };
}

/** Stores a queued cluster with its operation. */
export async function queueOperation(database: ServiceDatabase): Promise<OperationRef> {
  const name = `c${randomUUID().slice(0, 8)}`;
  const openShiftCluster = someCluster(name);
  const operationId = randomUUID();
  const key = resourceKey(openShiftCluster.id);
  const document: ClusterDocument = {
    id: randomUUID(),
    partitionKey: subscriptionId,
    key,
    clusterResourceGroupIdKey: openShiftCluster.properties.clusterProfile.resourceGroupId.toLowerCase(),
    clientIdKey: randomUUID(),
    bucket: 0,
    asyncOperationId: operationId,
    openShiftCluster,
  };
  const operation: OperationDocument = {
    id: operationId,
    partitionKey: subscriptionId,
    openShiftClusterKey: key,
    asyncOperation: { id: "/x", name: operationId, status: "Creating", startTime: "2026-01-01T00:00:00Z" },
  };
  const { clusters, operations } = database.collections;
  await database.commit(subscriptionId, [create(clusters, document), create(operations, operation)], {
    signal,
  });
  return { operationId, partitionKey: subscriptionId, clusterKey: key };
}

/** Acquires the one cluster that is queued. */
export async function acquireCluster(
  database: ServiceDatabase,
  owner: string,
  ttlMs = 600_000,
): Promise<Leased<ClusterDocument>> {
  const [leased] = await database.collections.clusters.acquire({ owner, ttlMs, limit: 1, signal });
  if (!leased) throw new Error("no cluster is queued");
  return leased;
}

/** A lease that is held until `lose` is called. */
export function guardOf({ lease, attempt }: Leased<ClusterDocument>): LeaseGuard & { lose(): void } {
  const lost = new AbortController();
  return {
    lease,
    attempt,
    signal: lost.signal,
    assertHeld: () => lost.signal.throwIfAborted(),
    lose: () => lost.abort(engineErrors.LeaseLost("lost by the test")),
  };
}

/** A clock whose sleepers wake at once, and find that the time has passed. */
export function hurriedClock(): Clock & { readonly slept: number[] } {
  let nowMs = Date.parse("2026-01-01T00:00:00Z");
  const slept: number[] = [];
  return {
    slept,
    now: () => new Date(nowMs),
    monotonicMs: () => nowMs,
    async sleep(ms, until) {
      until.throwIfAborted();
      slept.push(ms);
      nowMs += ms;
      await new Promise((resolve) => setImmediate(resolve));
      until.throwIfAborted();
    },
  };
}
