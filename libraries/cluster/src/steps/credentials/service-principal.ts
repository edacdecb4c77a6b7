import { CloudError } from "@keelson/arm";
import { forbiddenGraphRole, forbiddenGraphRoleMessage } from "@keelson/aro-api";
import type { ServicePrincipal } from "@keelson/azure";
import { messageOf, stringAt, unverifiedClaims } from "@keelson/base";
import type { OpenShiftCluster } from "@keelson/model";
import { isInterruption } from "@keelson/workflow";
import type { ClusterContext } from "../../context/context.ts";

/** The principal that the cluster acts as in Azure. */
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

/** Stores the object ID of the cluster's service principal, to which roles are assigned. */
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

/** Stores a missing object ID. Maintenance continues if the customer's principal cannot sign in. */
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

/** The object ID that `clusterSPObjectID` has stored. */
export function spObjectIdOf({ properties }: OpenShiftCluster): string {
  const spObjectId = properties.servicePrincipalProfile?.spObjectId;
  if (!spObjectId) throw new Error("the service principal's object ID is not known yet");
  return spObjectId;
}

/** The object ID of the service's principal in the tenant of the cluster's subscription. */
export async function serviceObjectId({ azure, signal }: ClusterContext): Promise<string> {
  return tokenClaims(await azure.getToken(signal)).oid;
}

/** The error for a tenant without the service's principal (Azure/ARO-RP pkg/validate). */
export const serviceRemoved =
  "The Azure Red Hat Openshift resource provider service principal has been removed from your tenant. To restore, please unregister and then re-register the Azure Red Hat OpenShift resource provider.";

/**
 * The claims of an access token that the service fetched; its signature is for its recipient to check. `absent` is the
 * message for a principal that the tenant does not have.
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

/** @throws CloudError InvalidServicePrincipalCredentials for a token of Microsoft Graph with that role */
export function checkGraphRoles(token: string): void {
  const roles = unverifiedClaims(token)?.roles;
  if (!Array.isArray(roles) || !roles.includes(forbiddenGraphRole)) return;
  throw new CloudError("InvalidServicePrincipalCredentials", forbiddenGraphRoleMessage, { target });
}
