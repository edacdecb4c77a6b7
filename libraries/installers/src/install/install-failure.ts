import { CloudError, type CloudErrorBody } from "@keelson/arm";
import { isPlainObject, redactText } from "@keelson/base";

interface InstallFailure {
  /** Reason that Hive reports for this failure. Hive reports it only if Hive's configuration contains the patterns. */
  readonly reason: string;
  /**
   * Patterns that must all match the log, in this order. Every repetition in a pattern is bounded, because logs contain
   * customers' strings.
   */
  readonly texts: readonly RegExp[];
  /** True if all patterns must match within one line. */
  readonly inOneLine?: boolean;
  readonly message: string;
  /** Remedy for the customer, if Azure's message does not contain one. */
  readonly detail?: string;
}

const seeDetails = "Please see details for more information.";

/** Azure failures that customers can fix. The first match decides (Azure/ARO-RP pkg/hive/failure). */
export const installFailures: readonly InstallFailure[] = [
  {
    reason: "AzureKeyBasedAuthenticationNotPermitted",
    texts: [/cluster[a-z0-9]{10}/, /KeyBasedAuthenticationNotPermitted/],
    message: `Deployment failed with KeyBasedAuthenticationNotPermitted error. ${seeDetails}`,
    detail:
      "The cluster's storage account no longer accepts its keys, most likely since an Azure Policy with the effect 'modify' has changed it. Exempt the storage accounts of the cluster's resource group from such policies. See https://learn.microsoft.com/en-us/azure/governance/policy/concepts/effect-modify for more details.",
  },
  {
    reason: "AzureRequestDisallowedByPolicy",
    texts: [/"code":\s?"InvalidTemplateDeployment"/, /"code":\s?"RequestDisallowedByPolicy"/],
    inOneLine: true,
    message: `Deployment failed due to RequestDisallowedByPolicy. ${seeDetails}`,
  },
  {
    reason: "AzureInvalidTemplateDeployment",
    texts: [/"code":\s?"InvalidTemplateDeployment"/],
    message: `Deployment failed. ${seeDetails}`,
  },
  {
    reason: "AzureZonalAllocationFailed",
    texts: [/"code\W{0,8}":\W{0,8}"ZonalAllocationFailed\W{0,8}"/],
    message: `Deployment failed. ${seeDetails}`,
  },
  {
    reason: "AzureOSProvisioningTimedOut",
    texts: [/"code\W{0,8}:\W{0,8}"OSProvisioningTimedOut\W{0,8}"/],
    message:
      "Deployment failed due to OSProvisioningTimedOut. The cluster's virtual machines failed to start up in time. Please check your network configuration.",
  },
];

/** Returns Hive's reason for a log. Undefined for an unknown failure. */
export function failureReasonIn(log: string): string | undefined {
  const lines = linesOf(log);
  const isIn = ({ texts, inOneLine = false }: InstallFailure) =>
    inOneLine ? lines.some((line) => follow(line, texts)) : follow(log, texts);
  return installFailures.find(isIn)?.reason;
}

/** True if `text` matches all `texts` in order. The run time is linear in the length of `text`. */
function follow(text: string, texts: readonly RegExp[]): boolean {
  let rest = text;
  for (const each of texts) {
    const found = each.exec(rest);
    if (!found) return false;
    rest = rest.slice(found.index + found[0].length);
  }
  return true;
}

function linesOf(log: string): readonly string[] {
  return log.split(/[\n\r]/);
}

interface ExplainOptions extends ErrorOptions {
  /** Error detail for an unknown reason. If the message of the detail is a log, only the log's last error is shown. */
  readonly otherwise?: CloudErrorBody;
}

/**
 * Returns the customer's error for a failed installation with this `reason`. The error includes Azure's error from the log,
 * unless the log is missing or has an unexpected format.
 */
export function explainInstallFailure(
  reason: string | undefined,
  log: string | undefined,
  { otherwise, ...options }: ExplainOptions = {},
): CloudError {
  const known = installFailures.find((each) => each.reason === reason);
  if (!known) {
    const shown = otherwise && { ...otherwise, message: text(lastError(otherwise.message)) ?? "" };
    return new CloudError("InternalServerError", "Deployment failed.", {
      ...options,
      details: shown && [shown],
    });
  }
  const details = known.detail
    ? [{ code: "KeyBasedAuthenticationNotPermitted", message: known.detail }]
    : armDetails(log ?? "");
  return new CloudError("DeploymentFailed", known.message, { ...options, details });
}

const beforeResponse = "DeploymentFailed: : Deployment failed. Details: : : ";
const maxDetails = 20;
const maxTextLength = 4_096;

/** Returns the last error of a log. A log of one line is returned unchanged. */
function lastError(log: string): string {
  const lines = linesOf(log).filter((line) => line.trim() !== "");
  // The last line of a log may belong to a stack trace, which follows the panic of a Go program.
  return lines.findLast((line) => /level=(?:error|fatal)|^panic: /.test(line)) ?? lines.at(-1) ?? "";
}

/** Returns the details of Azure Resource Manager's error in the installer's log. */
function armDetails(log: string): readonly CloudErrorBody[] {
  const response = parsedResponse(responseIn(log));
  if (!response) return [];
  const details = (Array.isArray(response.details) ? response.details : [response]).slice(0, maxDetails);
  return details.flatMap((each: unknown) => {
    if (!isPlainObject(each)) return [];
    const code = text(each.code);
    const message = text(each.message);
    if (code === undefined && message === undefined) return [];
    const target = text(each.target);
    return [{ code: code ?? "Unknown", message: message ?? "", ...(target ? { target } : {}) }];
  });
}

/** Returns the JSON of the first line with an error. */
function responseIn(log: string): string | undefined {
  for (const line of linesOf(log)) {
    const at = line.indexOf(`${beforeResponse}{`);
    const end = line.lastIndexOf("}");
    if (at >= 0 && end > at) return line.slice(at + beforeResponse.length, end + 1);
  }
  return undefined;
}

/**
 * Parses the JSON of an Azure response in a log. The log may contain the JSON as a quoted string, in which the quotes are
 * escaped.
 */
function parsedResponse(json: string | undefined): Record<string, unknown> | undefined {
  if (json === undefined) return undefined;
  for (const candidate of [json, json.replaceAll('\\"', '"').replaceAll("\\\\", "\\")]) {
    try {
      const value: unknown = JSON.parse(candidate);
      if (isPlainObject(value)) return isPlainObject(value.error) ? value.error : value;
    } catch {
      // This interpretation failed, so the next one is tried. If all fail, the generic error is used.
    }
  }
  return undefined;
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? redactText(value).slice(0, maxTextLength) : undefined;
}
