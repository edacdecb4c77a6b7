import { CloudError } from "@keelson/arm";
import { aadstsCode, azureErrorCode, azureErrorMessage, retryAdvice } from "@keelson/azure";
import { isCoded, messageOf } from "@keelson/base";
import { type OpenShiftCluster, usesWorkloadIdentity } from "@keelson/model";
import { StepTimeoutError } from "@keelson/workflow";
import { serviceRemoved } from "./steps/credentials/service-principal.ts";
import { explainDeletionError } from "./steps/removal/delete-resources.ts";

const target = "properties.servicePrincipalProfile";

const wrongCredentials =
  "Authorization using provided credentials failed. Please ensure that the provided application (client) id and client secret value are correct.";

/** What the identity provider's refusals mean for a customer, by AADSTS code. */
const credentialTexts: Readonly<Record<number, string>> = {
  700016:
    "The provided service principal application (client) ID was not found in the directory (tenant). Please ensure that the provided application (client) id and client secret value are correct.",
  7000215: wrongCredentials,
  7000222: "The provided client secret is expired. Please create a new one for your service principal.",
};

/**
 * What a client is told of the error that ended an operation (Azure/ARO-RP pkg/util/steps). Refused credentials
 * and Azure's refusals are the customer's to repair; whatever is left is ours, and its text stays in the log. Managed
 * identities have no credentials that a customer could have got wrong; and a deletion uses nobody's but the service's.
 * `serviceGroupId` names the service's own group, of which customers know nothing.
 */
export function explainStepError(error: unknown, cluster: OpenShiftCluster, serviceGroupId: string): unknown {
  if (messageOf(error).toLowerCase().includes(unknownExclusion) || isAboutExclusion(error))
    return new CloudError("InternalServerError", "Internal server error.", { cause: error });
  if (error instanceof CloudError) return error;
  if (error instanceof StepTimeoutError && error.timeoutMessage !== undefined)
    return new CloudError("DeploymentFailed", error.message, { status: 500, cause: error.cause });
  if (withoutIdentity.test(messageOf(error)))
    return new CloudError("InvalidServicePrincipalClaims", serviceRemoved, { target, cause: error });
  // A lock may be the customer's all the same, above the group.
  const isLocked = azureErrorCode(error) === "ScopeLocked";
  if (!isLocked && names(serviceGroupId, requestUrl(error))) return error;
  if (cluster.properties.provisioningState === "Deleting") return explainRefusal(explainDeletionError(error));
  const hasServicePrincipal = !usesWorkloadIdentity(cluster);
  const text = hasServicePrincipal ? credentialTexts[aadstsCode(error) ?? 0] : undefined;
  if (text) return new CloudError("InvalidServicePrincipalCredentials", text, { target, cause: error });
  if (azureErrorCode(error) === "Authorization_IdentityNotFound" && hasServicePrincipal)
    return new CloudError("InvalidServicePrincipalCredentials", wrongCredentials, { target, cause: error });
  if (azureErrorCode(error) === "AuthorizationFailed") {
    // In the managed group only we work, so a right that is missing there is not the customer's.
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

/** Whether a text names the group itself, or something in it. */
function names(groupId: string, text: string): boolean {
  const [, ...rests] = text.toLowerCase().split(groupId.toLowerCase());
  return rests.some((rest) => !/^[\w.()-]/.test(rest));
}

/** Where the request went that was refused; empty when the error does not tell. */
function requestUrl(error: unknown): string {
  const request = error instanceof Error && "request" in error ? error.request : undefined;
  const url = typeof request === "object" && request !== null && "url" in request ? request.url : undefined;
  return typeof url === "string" ? url : "";
}

/** What Azure says of a token of the service that names nobody in the customer's tenant. */
const withoutIdentity = /one of the claims 'puid' or 'altsecid' or 'oid' should be present/i;

/** Azure does not know a principal that a deny assignment is to leave alone: nobody but us has named it. */
const unknownExclusion = "nullorinvalidguidexcludeprincipalid";

function isAboutExclusion(error: unknown): boolean {
  const { details = [] } = error instanceof CloudError ? error.body : {};
  return details.some(({ message }) => message.toLowerCase().includes(unknownExclusion));
}

/** The code with which Azure refused something; `undefined` for its own trouble, the network's, and ours. */
function refusalCode(error: unknown): string | undefined {
  const isOurs = isCoded(error) || (error instanceof Error && "syscall" in error);
  return isOurs || retryAdvice(error).kind === "retry" ? undefined : azureErrorCode(error);
}
