import { CloudError } from "@keelson/arm";
import { aadstsCode, azureErrorCode, azureErrorMessage, retryAdvice } from "@keelson/azure";
import { isCoded, messageOf } from "@keelson/base";
import { type OpenShiftCluster, usesWorkloadIdentity } from "@keelson/model";
import { StepTimeoutError } from "@keelson/workflow";
import { serviceRemoved } from "./credentials/service-principal.ts";
import { explainDeletionError } from "./removal/explain-deletion-error.ts";

const target = "properties.servicePrincipalProfile";

const wrongCredentials =
  "Authorization using provided credentials failed. Please ensure that the provided application (client) id and client secret value are correct.";

/** Customer messages for sign-in errors of the identity provider, by AADSTS code. */
const credentialTexts: Readonly<Record<number, string>> = {
  700016:
    "The provided service principal application (client) ID was not found in the directory (tenant). Please ensure that the provided application (client) id and client secret value are correct.",
  7000215: wrongCredentials,
  7000222: "The provided client secret is expired. Please create a new one for your service principal.",
};

/**
 * Converts the error of a failed operation to the error that the client receives (Azure/ARO-RP pkg/util/steps). Rejected
 * credentials and refusals of Azure become errors that customers can fix. All other errors become internal errors, and only the
 * log contains their message. During deletions, and for clusters with managed identities, rejected credentials are not reported
 * as the customer's error. Errors about the service's own resource group `serviceGroupId` stay internal, unless a lock caused
 * them.
 */
export function explainStepError(error: unknown, cluster: OpenShiftCluster, serviceGroupId: string): unknown {
  if (messageOf(error).toLowerCase().includes(unknownExclusion) || isAboutExclusion(error))
    return new CloudError("InternalServerError", "Internal server error.", { cause: error });
  if (error instanceof CloudError) return error;
  if (error instanceof StepTimeoutError && error.timeoutMessage !== undefined)
    return new CloudError("DeploymentFailed", error.message, { status: 500, cause: error.cause });
  if (withoutIdentity.test(messageOf(error)))
    return new CloudError("InvalidServicePrincipalClaims", serviceRemoved, { target, cause: error });
  // A lock is reported even if the refused request concerned the service's resource group, because the lock may belong to the
  // customer.
  const isLocked = azureErrorCode(error) === "ScopeLocked";
  if (!isLocked && names(serviceGroupId, requestUrl(error))) return error;
  if (cluster.properties.provisioningState === "Deleting") return explainRefusal(explainDeletionError(error));
  const hasServicePrincipal = !usesWorkloadIdentity(cluster);
  const text = hasServicePrincipal ? credentialTexts[aadstsCode(error) ?? 0] : undefined;
  if (text) return new CloudError("InvalidServicePrincipalCredentials", text, { target, cause: error });
  if (azureErrorCode(error) === "Authorization_IdentityNotFound" && hasServicePrincipal)
    return new CloudError("InvalidServicePrincipalCredentials", wrongCredentials, { target, cause: error });
  if (azureErrorCode(error) === "AuthorizationFailed") {
    // Permissions on the managed resource group are the responsibility of the service, not of the customer.
    if (names(cluster.properties.clusterProfile.resourceGroupId, messageOf(error))) return error;
    if (hasServicePrincipal)
      return new CloudError("InvalidServicePrincipalCredentials", wrongCredentials, { target, cause: error });
  }
  return explainRefusal(error);
}

function explainRefusal(error: unknown): unknown {
  const code = refusalCode(error);
  if (code === undefined || error instanceof CloudError) return error;
  const details = [{ code, message: azureErrorMessage(error) }];
  return new CloudError("DeploymentFailed", "Deployment failed.", { details, cause: error });
}

/** True if a message contains the ID of the group or of one of its resources. */
function names(groupId: string, text: string): boolean {
  const [, ...rests] = text.toLowerCase().split(groupId.toLowerCase());
  return rests.some((rest) => !/^[\w.()-]/.test(rest));
}

/** Returns the URL of the refused request. Empty if the error has no request. */
function requestUrl(error: unknown): string {
  const request = error instanceof Error && "request" in error ? error.request : undefined;
  const url = typeof request === "object" && request !== null && "url" in request ? request.url : undefined;
  return typeof url === "string" ? url : "";
}

/** Matches Azure's error for a token request in a customer's tenant that does not contain the service's principal. */
const withoutIdentity = /one of the claims 'puid' or 'altsecid' or 'oid' should be present/i;

/**
 * Azure's error code for a deny assignment that excludes an unknown principal. Customers cannot cause this error, because only
 * the service writes deny assignments.
 */
const unknownExclusion = "nullorinvalidguidexcludeprincipalid";

function isAboutExclusion(error: unknown): boolean {
  const { details = [] } = error instanceof CloudError ? error.body : {};
  return details.some(({ message }) => message.toLowerCase().includes(unknownExclusion));
}

/**
 * Returns the code of an error with which Azure refused a request. Undefined for internal errors of Azure, network errors and
 * Keelson's own errors.
 */
function refusalCode(error: unknown): string | undefined {
  const isOurs = isCoded(error) || (error instanceof Error && "syscall" in error);
  return isOurs || retryAdvice(error).kind === "retry" ? undefined : azureErrorCode(error);
}
