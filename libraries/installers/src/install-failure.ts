import { CloudError, type CloudErrorBody } from "@keelson/arm";
import { isPlainObject, redactText } from "@keelson/base";

interface InstallFailure {
  /** Hive's name of the failure, where Hive is configured with `pattern`. */
  readonly reason: string;
  /** In the log of an install. */
  readonly pattern: RegExp;
  readonly message: string;
  /** What the customer can do, where Azure's message does not say. */
  readonly detail?: string;
}

const seeDetails = "Please see details for more information.";

/** Failures in Azure that customers can repair; the first match counts (Azure/ARO-RP pkg/hive/failure). */
export const installFailures: readonly InstallFailure[] = [
  {
    reason: "AzureKeyBasedAuthenticationNotPermitted",
    pattern: /cluster[a-z0-9]{10}.*KeyBasedAuthenticationNotPermitted/s,
    message: `Deployment failed with KeyBasedAuthenticationNotPermitted error. ${seeDetails}`,
    detail:
      "The cluster's storage account no longer accepts its keys, most likely since an Azure Policy with the effect 'modify' has changed it. Exempt the storage accounts of the cluster's resource group from such policies. See https://learn.microsoft.com/en-us/azure/governance/policy/concepts/effect-modify for more details.",
  },
  {
    reason: "AzureRequestDisallowedByPolicy",
    pattern: /"code":\s?"InvalidTemplateDeployment".*"code":\s?"RequestDisallowedByPolicy"/,
    message: `Deployment failed due to RequestDisallowedByPolicy. ${seeDetails}`,
  },
  {
    reason: "AzureInvalidTemplateDeployment",
    pattern: /"code":\s?"InvalidTemplateDeployment"/,
    message: `Deployment failed. ${seeDetails}`,
  },
  {
    reason: "AzureZonalAllocationFailed",
    pattern: /"code\W*":\W*"ZonalAllocationFailed\W*"/,
    message: `Deployment failed. ${seeDetails}`,
  },
  {
    reason: "AzureOSProvisioningTimedOut",
    pattern: /"code\W*:\W*"OSProvisioningTimedOut\W*"/,
    message:
      "Deployment failed due to OSProvisioningTimedOut. The cluster's virtual machines failed to start up in time. Please check your network configuration.",
  },
];

/** Hive's reason for a log; `undefined` for an unknown failure. */
export function failureReasonIn(log: string): string | undefined {
  return installFailures.find(({ pattern }) => pattern.test(log))?.reason;
}

/**
 * The error that a customer reads of an install that failed for `reason`, with Azure's answer from the log. A missing
 * or unexpected log only costs the details.
 */
export function explainInstallFailure(
  reason: string | undefined,
  log: string | undefined,
  options: ErrorOptions = {},
): CloudError {
  const known = installFailures.find((each) => each.reason === reason);
  if (!known) return new CloudError("InternalServerError", "Deployment failed.", options);
  const details = known.detail
    ? [{ code: "KeyBasedAuthenticationNotPermitted", message: known.detail }]
    : armDetails(log ?? "");
  return new CloudError("DeploymentFailed", known.message, { ...options, details });
}

const armErrorLine = /DeploymentFailed: : Deployment failed\. Details: : : (\{.*\})/;
const maxDetails = 20;
const maxTextLength = 4_096;

/** Azure Resource Manager's answer, from the installer's log line. */
function armDetails(log: string): readonly CloudErrorBody[] {
  const answer = parsedAnswer(armErrorLine.exec(log)?.[1]);
  if (!answer) return [];
  const details = (Array.isArray(answer.details) ? answer.details : [answer]).slice(0, maxDetails);
  return details.flatMap((each: unknown) => {
    if (!isPlainObject(each)) return [];
    const code = text(each.code);
    const message = text(each.message);
    if (code === undefined && message === undefined) return [];
    const target = text(each.target);
    return [{ code: code ?? "Unknown", message: message ?? "", ...(target ? { target } : {}) }];
  });
}

/** The line may itself be quoted, with its quotes escaped. */
function parsedAnswer(json: string | undefined): Record<string, unknown> | undefined {
  if (json === undefined) return undefined;
  for (const candidate of [json, json.replaceAll('\\"', '"').replaceAll("\\\\", "\\")]) {
    try {
      const value: unknown = JSON.parse(candidate);
      if (isPlainObject(value)) return isPlainObject(value.error) ? value.error : value;
    } catch {
      // Not this reading; without any, the generic error is used.
    }
  }
  return undefined;
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? redactText(value).slice(0, maxTextLength) : undefined;
}
