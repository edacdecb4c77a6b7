import { CloudError } from "@keelson/arm";
import { aadstsCode, azureErrorCode, azureErrorMessage, statusOf } from "@keelson/azure";
import { messageOf } from "@keelson/base";

const target = "properties.servicePrincipalProfile";

/** What the identity provider's refusals mean for a customer, by AADSTS code. */
const credentialTexts: Readonly<Record<number, string>> = {
  700016:
    "The provided service principal application (client) ID was not found in the directory (tenant). Please ensure that the provided application (client) id and client secret value are correct.",
  7000215:
    "Authorization using provided credentials failed. Please ensure that the provided application (client) id and client secret value are correct.",
  7000222: "The provided client secret is expired. Please create a new one for your service principal.",
};

/**
 * What a client is told of the error that ended an operation (Azure/ARO-RP pkg/util/steps). Refused credentials
 * and Azure's refusals are the customer's to repair; whatever is left is ours, and its text stays in the log.
 */
export function explainStepError(error: unknown, managedGroupId: string): unknown {
  if (error instanceof CloudError) return error;
  // In the managed group only we work, so what goes wrong there is not the customer's doing.
  if (messageOf(error).toLowerCase().includes(`${managedGroupId.toLowerCase()}/`)) return error;
  const text = credentialTexts[aadstsCode(error) ?? 0];
  if (text) return new CloudError("InvalidServicePrincipalCredentials", text, { target, cause: error });
  const code = azureErrorCode(error);
  if (code === "AuthorizationFailed") {
    const message = credentialTexts[7000215] ?? "";
    return new CloudError("InvalidServicePrincipalCredentials", message, { target, cause: error });
  }
  const status = statusOf(error);
  if (code === undefined || status === undefined || status >= 500) return error;
  const details = [{ code, message: azureErrorMessage(error) }];
  return new CloudError("DeploymentFailed", "Deployment failed.", { details, cause: error });
}
