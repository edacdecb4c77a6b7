import { CloudError } from "@keelson/arm";
import type { ClusterContext } from "../context/context.ts";
import {
  azureAsClusterIdentity,
  clusterIdentityObjectId,
  managedIdentitiesOf,
} from "../identity/cluster-identity.ts";
import { isOwnCredential } from "../identity/federated-credentials.ts";
import type { OperatorIdentity } from "../identity/platform-identities.ts";
import { missingRight } from "./subject.ts";

/** Actions that the cluster's identity needs on the operators' identities. */
const federatedCredentialActions = [
  "userAssignedIdentities/read",
  ...["read", "write", "delete"].map((verb) => `userAssignedIdentities/federatedIdentityCredentials/${verb}`),
].map((action) => `Microsoft.ManagedIdentity/${action}`);

/**
 * Checks that no other cluster uses the operators' identities, and that the cluster's identity may create federated credentials
 * for them.
 * @throws CloudError PlatformWorkloadIdentityMismatch, InvalidClusterMSIPermissions,
 * PlatformWorkloadIdentityContainsInvalidCredential (Azure/ARO-RP pkg/validate/dynamic)
 */
export async function validateIdentities(
  context: ClusterContext,
  identities: readonly OperatorIdentity[],
): Promise<void> {
  const clusterIdentity = clusterIdentityObjectId(context.cluster);
  // Waits for all checks before the first problem is reported, so that the order of the responses does not determine the reported
  // problem.
  await Promise.all(
    identities.map((identity) => requireFederatedCredentialRole(context, clusterIdentity, identity)),
  );
  await Promise.all(identities.map((identity) => validateIdentity(context, identity)));
}

async function requireFederatedCredentialRole(
  context: ClusterContext,
  clusterIdentity: string,
  { resourceId }: OperatorIdentity,
): Promise<void> {
  const { connection, signal } = context;
  const forbidden = await managedIdentitiesOf(context).findForbiddenAction(
    clusterIdentity,
    resourceId,
    federatedCredentialActions,
    connection,
    signal,
  );
  if (forbidden === undefined) return;
  const message = `The cluster user assigned identity does not have required permissions on platform workload identity '${resourceId}'.`;
  throw new CloudError("InvalidClusterMSIPermissions", message, { cause: missingRight(message) });
}

async function validateIdentity(context: ClusterContext, identity: OperatorIdentity): Promise<void> {
  const { operatorName, resourceId } = identity;
  const { provisioningState, clusterProfile } = context.cluster.properties;
  const issuer = clusterProfile.oidcIssuer;
  const azure = azureAsClusterIdentity(context);
  const { federatedIdentityCredentials } = azure.identities;
  const call = azure.call(context.signal);
  for await (const credential of federatedIdentityCredentials.list(
    identity.resourceGroup,
    identity.name,
    call,
  )) {
    if (issuer !== undefined && isOwnCredential(credential, issuer)) continue;
    const remedy =
      provisioningState === "Creating"
        ? "Please ensure this identity is only used for this cluster and does not have any existing federated identity credentials."
        : "Please ensure only federated credentials provisioned by the ARO service for this cluster are present.";
    throw new CloudError(
      "PlatformWorkloadIdentityContainsInvalidCredential",
      `Unexpected federated credential '${credential.name}' found on platform workload identity '${resourceId}' used for role '${operatorName}'. ${remedy}`,
      {
        target: `properties.platformWorkloadIdentityProfile.platformWorkloadIdentities.${operatorName}.resourceId`,
      },
    );
  }
}
