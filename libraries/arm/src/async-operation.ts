import type { CloudErrorBody } from "./cloud-error.ts";

/** Provisioning states of a cluster. The last two are terminal. */
export const provisioningStates = [
  "AdminUpdating",
  "Creating",
  "Deleting",
  "Updating",
  "Failed",
  "Succeeded",
] as const;
export type ProvisioningState = (typeof provisioningStates)[number];

/** True if the provisioning state is terminal. Responses and views contain the state as a plain string. */
export function isTerminal(state: string): state is "Succeeded" | "Failed" {
  return state === "Succeeded" || state === "Failed";
}

/**
 * Status of an asynchronous operation: the response to `GET .../operationsstatus/{id}`. Format: ARM resource provider contract,
 * asynchronous operations. Times are RFC 3339.
 */
export interface AsyncOperation {
  readonly id: string;
  readonly name: string;
  readonly status: ProvisioningState;
  readonly startTime: string;
  readonly endTime?: string;
  /** Progress in percent, 0 to 100. */
  readonly percentComplete?: number;
  /** Progress of the running operation, for display. */
  readonly properties?: AsyncOperationProgress;
  readonly error?: CloudErrorBody;
}

interface AsyncOperationProgress {
  /** Names of the running steps, separated by `, `. */
  readonly step: string;
  readonly completedSteps: number;
  readonly totalSteps: number;
  /** Errors that do not fail the operation. */
  readonly warnings?: readonly CloudErrorBody[];
}

/**
 * Response headers with the URLs at which a client polls an operation. Both URLs include the query of the original request URL,
 * for example its api-version.
 */
export interface OperationUrls {
  readonly azureAsyncOperation: string;
  readonly location: string;
}

/**
 * Builds the polling URLs of an operation. Their host is the host of the original request URL, which ARM sends in the `Referer`
 * header.
 */
export function operationUrls(
  referer: URL,
  scope: { readonly subscriptionId: string; readonly namespace: string; readonly location: string },
  operationId: string,
): OperationUrls {
  const { subscriptionId, namespace, location } = scope;
  const { href, pathname, search, hash } = referer;
  // String slicing avoids the setter of `pathname`, which would parse the URL again on each poll.
  const origin = href.slice(0, href.length - pathname.length - search.length - hash.length);
  const directory = `/subscriptions/${subscriptionId}/providers/${namespace}/locations/${location}`;
  const at = (kind: "operationsstatus" | "operationresults") =>
    `${origin}${encodeURI(`${directory}/${kind}/${operationId}`.toLowerCase())}${search}${hash}`;
  return { azureAsyncOperation: at("operationsstatus"), location: at("operationresults") };
}
