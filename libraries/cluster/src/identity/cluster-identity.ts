import { CloudError, sameResource } from "@keelson/arm";
import type { AzureClients, IdentityCredentials } from "@keelson/azure";
import { isCoded, Secret } from "@keelson/base";
import {
  type ManagedServiceIdentity,
  type OpenShiftCluster,
  usesWorkloadIdentity,
  withProperties,
} from "@keelson/model";
import type { ClusterContext } from "../context/context.ts";
import type { ManagedIdentities } from "../context/environment.ts";

/** Stores the tenant ID of the cluster's identity. The identity is in the subscription's tenant. */
export async function fixupClusterMsiTenantID({
  environment,
  subscription,
  update,
}: ClusterContext): Promise<void> {
  const tenantId = environment.tenantIdOf(subscription);
  await update((cluster) => withIdentity(cluster, { tenantId }));
}

/**
 * Fetches the certificate of the cluster's identity. Does nothing if the stored certificate is for the same identity and is not
 * due for renewal yet.
 * @throws CloudError InvalidParameter for a missing identity
 */
export async function ensureClusterMsiCertificate(context: ClusterContext): Promise<void> {
  const { cluster, clock, connection, signal } = context;
  const resourceId = clusterIdentityIdOf(cluster);
  const stored = storedCredentials(cluster);
  const isCurrent =
    stored !== undefined &&
    sameResource(stored.resourceId, resourceId) &&
    clock.now().getTime() < Date.parse(stored.renewAfter);
  if (isCurrent) return;
  const { identityURL } = cluster.managedServiceIdentity ?? {};
  if (!identityURL) throw new Error("the cluster has no URL of its identity's credentials");
  const fetched = await fetchCredentials(context, () =>
    managedIdentitiesOf(context).fetchCredentials(identityURL, resourceId, connection, signal),
  );
  const clusterIdentityCredentials = new Secret(formatCredentials(fetched));
  await context.update((current) => withProperties(current, { clusterIdentityCredentials }));
}

/** Renews the certificate of the cluster's identity. Does nothing for a cluster with a service principal. */
export async function renewClusterMsiCertificate(context: ClusterContext): Promise<void> {
  if (usesWorkloadIdentity(context.cluster)) await ensureClusterMsiCertificate(context);
}

/** Stores the client ID and object ID of the cluster's identity under the identity's resource ID, as the customer spelled it. */
export async function clusterIdentityIDs({ cluster, update }: ClusterContext): Promise<void> {
  const { objectId, principal } = credentialsOf(cluster);
  const ids = { clientId: principal.clientId, principalId: objectId };
  await update((current) =>
    withIdentity(current, { userAssignedIdentities: { [clusterIdentityIdOf(current)]: ids } }),
  );
}

/** Returns the object ID of the cluster's identity. An earlier step must have fetched the identity's credentials. */
export function clusterIdentityObjectId(cluster: OpenShiftCluster): string {
  return credentialsOf(cluster).objectId;
}

/** Returns Azure clients in the cluster's subscription with the credentials of the cluster's identity. */
export function azureAsClusterIdentity(context: ClusterContext): AzureClients {
  return context.azureAs(credentialsOf(context.cluster).principal);
}

export function managedIdentitiesOf({ environment }: ClusterContext): ManagedIdentities {
  const { managedIdentities } = environment;
  if (managedIdentities) return managedIdentities;
  throw new Error("this service is not configured for clusters with managed identities");
}

/** Returns the resource ID of the cluster's only managed identity. */
function clusterIdentityIdOf({ managedServiceIdentity }: OpenShiftCluster): string {
  const [resourceId] = Object.keys(managedServiceIdentity?.userAssignedIdentities ?? {});
  if (!resourceId) throw new Error("the cluster has no identity");
  return resourceId;
}

function withIdentity(cluster: OpenShiftCluster, change: Partial<ManagedServiceIdentity>): OpenShiftCluster {
  return { ...cluster, managedServiceIdentity: { ...cluster.managedServiceIdentity, ...change } };
}

async function fetchCredentials(
  { cluster }: ClusterContext,
  fetch: () => Promise<IdentityCredentials>,
): Promise<IdentityCredentials> {
  try {
    return await fetch();
  } catch (cause) {
    if (!isCoded(cause) || cause.name !== "IdentityNotFound") throw cause;
    const message = `The provided cluster identity '${clusterIdentityIdOf(cluster)}' could not be found.`;
    throw new CloudError("InvalidParameter", message, { target: "identity", cause });
  }
}

function credentialsOf(cluster: OpenShiftCluster): IdentityCredentials {
  const stored = storedCredentials(cluster);
  if (!stored) throw new Error("the cluster has no credentials of its identity yet");
  return stored;
}

/**
 * Serializes the credentials of an identity. The result contains the certificate in clear text, so it must be stored encrypted.
 */
function formatCredentials({ principal, ...rest }: IdentityCredentials): string {
  return JSON.stringify({
    ...rest,
    principal: { ...principal, certificate: principal.certificate.reveal() },
  });
}

function storedCredentials({ properties }: OpenShiftCluster): IdentityCredentials | undefined {
  const text = properties.clusterIdentityCredentials?.reveal();
  if (text === undefined) return undefined;
  const { principal, ...rest } = JSON.parse(text);
  return { ...rest, principal: { ...principal, certificate: new Secret(principal.certificate) } };
}
