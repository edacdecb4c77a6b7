import { CloudError, sameResource } from "@keelson/arm";
import type { AzureClients, IdentityCredentials } from "@keelson/azure";
import { isCoded, Secret } from "@keelson/base";
import {
  type ManagedServiceIdentity,
  type OpenShiftCluster,
  usesWorkloadIdentity,
  withProperties,
} from "@keelson/model";
import type { ClusterContext } from "../../context/context.ts";
import type { ManagedIdentities } from "../../context/environment.ts";

/** The tenant of the cluster's identity is the subscription's. */
export async function fixupClusterMsiTenantID({
  environment,
  subscription,
  update,
}: ClusterContext): Promise<void> {
  const tenantId = environment.tenantIdOf(subscription);
  await update((cluster) => withIdentity(cluster, { tenantId }));
}

/**
 * Fetches the certificate of the cluster's identity if it is missing, belongs to a different identity, or has
 * reached Azure's renewal date.
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

/** Renews the certificate of any cluster. A cluster with a service principal has none. */
export async function renewClusterMsiCertificate(context: ClusterContext): Promise<void> {
  if (usesWorkloadIdentity(context.cluster)) await ensureClusterMsiCertificate(context);
}

/** Stores the IDs of the cluster's identity, under the resource ID as the customer wrote it. */
export async function clusterIdentityIDs({ cluster, update }: ClusterContext): Promise<void> {
  const { objectId, principal } = credentialsOf(cluster);
  const ids = { clientId: principal.clientId, principalId: objectId };
  await update((current) =>
    withIdentity(current, { userAssignedIdentities: { [clusterIdentityIdOf(current)]: ids } }),
  );
}

/** The object ID of the cluster's identity, from credentials that an earlier step has fetched. */
export function clusterIdentityObjectId(cluster: OpenShiftCluster): string {
  return credentialsOf(cluster).objectId;
}

/** Returns clients with the cluster's own identity in the cluster's subscription. */
export function azureAsClusterIdentity(context: ClusterContext): AzureClients {
  return context.azureAs(credentialsOf(context.cluster).principal);
}

export function managedIdentitiesOf({ environment }: ClusterContext): ManagedIdentities {
  const { managedIdentities } = environment;
  if (managedIdentities) return managedIdentities;
  throw new Error("this service is not configured for clusters with managed identities");
}

/** Returns the resource ID of the cluster's only identity. */
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

/** Serializes the credentials with the certificate in clear text. The result is stored encrypted. */
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
