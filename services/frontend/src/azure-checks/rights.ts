import type { AzureClients } from "@keelson/azure";
import { messageOf } from "@keelson/base";
import {
  type ClusterEnvironment,
  findMissingRights,
  principalSubject,
  type Suspect,
  tokenClaims,
} from "@keelson/cluster";
import type { Violation } from "@keelson/model";
import type { ProposedCreation } from "./azure-checks.ts";

/** Functions that create Azure clients for the service and for the future cluster's identity. */
export type AzureAccess = Pick<ClusterEnvironment, "connectAzure" | "connectAzureAs" | "tenantIdOf">;
export type AzureConnection = Parameters<AzureAccess["connectAzure"]>[1];

/**
 * Checks the network permissions of the service and of the cluster's service principal. Reports a permission only if it is
 * definitely missing. The customer then receives the error in the response to the creation request.
 */
export async function checkRights(
  creation: ProposedCreation,
  service: AzureClients,
  access: AzureAccess,
  connection: AzureConnection,
  signal: AbortSignal,
): Promise<readonly Violation[]> {
  try {
    return await findViolations(creation, service, access, connection, signal);
  } catch (error) {
    connection.logger.debug({ reason: messageOf(error) }, "rights could not be checked before the creation");
    return [];
  }
}

async function findViolations(
  { cluster, subscription }: ProposedCreation,
  service: AzureClients,
  { connectAzureAs, tenantIdOf }: AzureAccess,
  connection: AzureConnection,
  signal: AbortSignal,
): Promise<readonly Violation[]> {
  const profile = cluster.properties.servicePrincipalProfile;
  const tenantId = tenantIdOf(subscription);
  const own = profile && connectAzureAs({ ...profile, tenantId }, subscription.id, connection);
  const suspects = await Promise.all([
    ...(own ? [suspectOf("cluster", own, signal)] : []),
    suspectOf("service", service, signal),
  ]);
  const known = suspects.filter((each) => each !== undefined);
  const missing = await findMissingRights(cluster, known, service, signal);
  return missing.map((each) => ({ ...each, target: "" }));
}

/**
 * Returns the principal with its object ID. Undefined if the principal cannot sign in, for example because Azure has not
 * replicated a new principal or secret yet.
 */
async function suspectOf(
  role: "cluster" | "service",
  azure: AzureClients,
  signal: AbortSignal,
): Promise<Suspect | undefined> {
  try {
    const { oid, appid } = tokenClaims(await azure.getToken(signal));
    return { subject: principalSubject(role, azure, appid), principalId: oid };
  } catch {
    return undefined;
  }
}
