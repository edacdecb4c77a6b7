import type { CloudErrorBody } from "./cloud-error.ts";

/** Provisioning states of a cluster; the last two are terminal. */
export const provisioningStates = [
  "AdminUpdating",
  "Creating",
  "Deleting",
  "Updating",
  "Failed",
  "Succeeded",
] as const;
export type ProvisioningState = (typeof provisioningStates)[number];

export function isTerminal(state: ProvisioningState): state is "Succeeded" | "Failed" {
  return state === "Succeeded" || state === "Failed";
}

/**
 * Status of an asynchronous operation, the response to `GET .../operationsstatus/{id}` (ARM resource provider
 * contract, asynchronous operations). Times are RFC 3339.
 */
export interface AsyncOperation {
  readonly id: string;
  readonly name: string;
  readonly status: ProvisioningState;
  readonly startTime: string;
  readonly endTime?: string;
  /** 0 to 100. */
  readonly percentComplete?: number;
  /** Present step, for display. */
  readonly properties?: AsyncOperationProgress;
  readonly error?: CloudErrorBody;
}

interface AsyncOperationProgress {
  /** The steps running now, by name, separated by `, `. */
  readonly step: string;
  readonly completedSteps: number;
  readonly totalSteps: number;
  /** Faults that do not fail the operation. */
  readonly warnings?: readonly CloudErrorBody[];
}

/**
 * Headers with which a client polls an operation. Both URLs have the query of the referer, including the
 * api-version.
 */
export interface OperationUrls {
  readonly azureAsyncOperation: string;
  readonly location: string;
}

/** Builds the polling URLs on the host that the user called: ARM passes it as `Referer`. */
export function operationUrls(
  referer: URL,
  scope: { readonly subscriptionId: string; readonly namespace: string; readonly location: string },
  operationId: string,
): OperationUrls {
  const { subscriptionId, namespace, location } = scope;
  const { href, pathname, search, hash } = referer;
  // The setter of `pathname` parses the URL again. Each read of a running operation pays for it.
  const origin = href.slice(0, href.length - pathname.length - search.length - hash.length);
  const folder = `/subscriptions/${subscriptionId}/providers/${namespace}/locations/${location}`;
  const at = (kind: "operationsstatus" | "operationresults") =>
    `${origin}${encodeURI(`${folder}/${kind}/${operationId}`.toLowerCase())}${search}${hash}`;
  return { azureAsyncOperation: at("operationsstatus"), location: at("operationresults") };
}
