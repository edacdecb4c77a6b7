import { CloudError } from "@keelson/arm";
import { forbiddenGraphRole, forbiddenGraphRoleMessage } from "@keelson/aro-api";
import type { ServicePrincipal } from "@keelson/azure";
import { messageOf, stringAt, unverifiedClaims } from "@keelson/base";
import type { OpenShiftCluster } from "@keelson/model";
import { isInterruption } from "@keelson/workflow";
import type { ClusterContext } from "../context/context.ts";

/** Returns the service principal that the cluster uses in Azure. */
export function servicePrincipalOf({ cluster, environment, subscription }: ClusterContext): ServicePrincipal {
  const profile = cluster.properties.servicePrincipalProfile;
  if (!profile) throw new Error("the cluster has no service principal");
  return {
    tenantId: environment.tenantIdOf(subscription),
    clientId: profile.clientId,
    clientSecret: profile.clientSecret,
  };
}

const target = "properties.servicePrincipalProfile";

/** Stores the object ID of the cluster's service principal. Role assignments refer to this ID. */
export async function clusterSPObjectID(context: ClusterContext): Promise<void> {
  const token = await context.azureAs(servicePrincipalOf(context)).getToken(context.signal);
  const { oid } = tokenClaims(token);
  await context.update((cluster) => {
    const profile = cluster.properties.servicePrincipalProfile;
    if (!profile || profile.spObjectId === oid) return cluster;
    const servicePrincipalProfile = { ...profile, spObjectId: oid };
    return { ...cluster, properties: { ...cluster.properties, servicePrincipalProfile } };
  });
}

/**
 * Stores the object ID of the cluster's service principal if the ID is missing. Does not fail if the principal cannot sign in, so
 * that maintenance continues.
 */
export async function fixupClusterSPObjectID(context: ClusterContext): Promise<void> {
  const { cluster, signal, logger } = context;
  if (cluster.properties.servicePrincipalProfile?.spObjectId) return;
  try {
    await clusterSPObjectID(context);
  } catch (error) {
    signal.throwIfAborted();
    if (isInterruption(error)) throw error;
    logger.warn({ reason: messageOf(error) }, "the service principal's object ID is not known");
  }
}

/** Returns the object ID that `clusterSPObjectID` has stored. */
export function spObjectIdOf({ properties }: OpenShiftCluster): string {
  const spObjectId = properties.servicePrincipalProfile?.spObjectId;
  if (!spObjectId) throw new Error("the service principal's object ID is not known yet");
  return spObjectId;
}

/** Returns the object ID that the service's principal has in the tenant of the cluster's subscription. */
export async function serviceObjectId({ azure, signal }: ClusterContext): Promise<string> {
  return tokenClaims(await azure.getToken(signal)).oid;
}

/** Error for a tenant that does not contain the service's principal (Azure/ARO-RP pkg/validate). */
export const serviceRemoved =
  "The Azure Red Hat Openshift resource provider service principal has been removed from your tenant. To restore, please unregister and then re-register the Azure Red Hat OpenShift resource provider.";

/**
 * Returns the claims of an access token that the service has fetched. The signature is not verified, because only the recipient
 * of the token must verify it. `absent` is the error message for a principal that the tenant does not contain.
 * @throws CloudError InvalidServicePrincipalToken, InvalidServicePrincipalClaims
 */
export function tokenClaims(
  token: string,
  absent = "The token of the provided service principal has no oid claim: it does not name a service principal of the tenant.",
): { readonly oid: string; readonly appid: string } {
  const claims = unverifiedClaims(token);
  if (!claims) {
    throw new CloudError(
      "InvalidServicePrincipalToken",
      "The provided service principal generated an invalid token.",
      { target },
    );
  }
  if (typeof claims.oid !== "string" || claims.oid === "") {
    throw new CloudError("InvalidServicePrincipalClaims", absent, { target });
  }
  return { oid: claims.oid, appid: stringAt(claims, "appid") ?? "" };
}

/**
 * Rejects a Microsoft Graph token that contains the role `forbiddenGraphRole`.
 * @throws CloudError InvalidServicePrincipalCredentials
 */
export function checkGraphRoles(token: string): void {
  const roles = unverifiedClaims(token)?.roles;
  if (!Array.isArray(roles) || !roles.includes(forbiddenGraphRole)) return;
  throw new CloudError("InvalidServicePrincipalCredentials", forbiddenGraphRoleMessage, { target });
}
