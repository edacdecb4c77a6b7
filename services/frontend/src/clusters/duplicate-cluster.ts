import { CloudError } from "@keelson/arm";
import { isPlainObject } from "@keelson/base";
import type { Stored } from "@keelson/database";
import {
  type ClusterDocument,
  type OpenShiftCluster,
  type ServiceDatabase,
  usesWorkloadIdentity,
} from "@keelson/model";
import type { RequestContext } from "../http/messages/request-context.ts";

type DuplicateKeys = Pick<ClusterDocument, "clientIdKey" | "clusterResourceGroupIdKey">;

/** Result of a database lookup for existing clusters that have the keys of a new cluster. */
export interface DuplicateLookup {
  readonly keys: DuplicateKeys;
  /** Existing clusters: the cluster with the same client ID, and the cluster with the same managed resource group. */
  readonly found: Promise<readonly (Stored<ClusterDocument> | undefined)[]>;
}

/** Maximum length of a key in an unchecked body. Valid keys are shorter. */
const maxKeyLength = 1_024;

/**
 * Starts the lookup for the keys in a body that has not been validated yet. The lookup starts together with the first reads of
 * the request, so that one database statement executes all of them. The keys may differ from the keys of the validated cluster.
 * Returns undefined for a body without keys.
 */
export function startDuplicateLookup(
  request: RequestContext,
  database: ServiceDatabase,
): DuplicateLookup | undefined {
  const body = request.tryJson();
  const properties = objectOf(objectOf(body).properties);
  const group = objectOf(properties.clusterProfile).resourceGroupId;
  const principal = objectOf(properties.servicePrincipalProfile).clientId;
  const [identity] = Object.keys(objectOf(objectOf(objectOf(body).identity).userAssignedIdentities));
  const client = principal ?? identity;
  if (typeof group !== "string" || typeof client !== "string") return undefined;
  if (group.length > maxKeyLength || client.length > maxKeyLength) return undefined;
  const keys = { clientIdKey: client.toLowerCase(), clusterResourceGroupIdKey: group.toLowerCase() };
  const found = findDuplicates(keys, database, request.signal);
  // The request may fail before it awaits this result. The request then reports its own error, so a failed lookup is ignored.
  found.catch(() => undefined);
  return { keys, found };
}

function objectOf(value: unknown): Record<string, unknown> {
  return isPlainObject(value) ? value : {};
}

function findDuplicates(
  { clientIdKey, clusterResourceGroupIdKey }: DuplicateKeys,
  { collections: { clusters } }: ServiceDatabase,
  signal: AbortSignal,
): DuplicateLookup["found"] {
  return Promise.all([
    clusters.findBy(undefined, "clientIdKey", clientIdKey, signal),
    clusters.findBy(undefined, "clusterResourceGroupIdKey", clusterResourceGroupIdKey, signal),
  ]);
}

/**
 * Rejects a cluster if an existing cluster has the same client ID or managed resource group. If both are in use, the error
 * reports the client ID. Uses the result of `lookup` if it was started with the cluster's keys.
 * @throws CloudError DuplicateClientID, DuplicateResourceGroup
 */
export async function refuseDuplicates(
  document: ClusterDocument,
  database: ServiceDatabase,
  signal: AbortSignal,
  lookup?: DuplicateLookup,
): Promise<void> {
  const { key, clientIdKey, clusterResourceGroupIdKey, openShiftCluster } = document;
  const isLookedUp =
    lookup?.keys.clientIdKey === clientIdKey &&
    lookup.keys.clusterResourceGroupIdKey === clusterResourceGroupIdKey;
  const [sameClient, sameGroup] = await (isLookedUp
    ? lookup.found
    : findDuplicates(document, database, signal));
  const { clusterProfile, servicePrincipalProfile } = openShiftCluster.properties;
  if (sameClient && sameClient.document.key !== key) {
    const [identityId = clientIdKey] = identityIdsOf(openShiftCluster);
    const identity = usesWorkloadIdentity(openShiftCluster)
      ? `user assigned identity '${identityId}'`
      : `service principal with client ID '${servicePrincipalProfile?.clientId ?? clientIdKey}'`;
    throw new CloudError("DuplicateClientID", `The provided ${identity} is already in use by a cluster.`);
  }
  if (sameGroup && sameGroup.document.key !== key) {
    throw new CloudError(
      "DuplicateResourceGroup",
      `The provided resource group '${clusterProfile.resourceGroupId}' already contains a cluster.`,
    );
  }
}

/** Returns the identity IDs in the caller's spelling. */
function identityIdsOf({ managedServiceIdentity }: OpenShiftCluster): readonly string[] {
  return Object.keys(managedServiceIdentity?.userAssignedIdentities ?? {});
}
