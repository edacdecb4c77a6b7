import { CloudError, isTerminal } from "@keelson/arm";
import type { OpenShiftCluster } from "../cluster/open-shift-cluster.ts";
import type { Subscription, SubscriptionState } from "../documents/subscription-document.ts";

/** Kind of request that the state of the cluster or of its subscription may forbid. */
export type RequestKind = "write" | "replace" | "delete" | "listCredentials" | "listAdminCredentials";

/**
 * Checks that the cluster's state allows the request.
 * @throws CloudError RequestNotAllowed
 */
export function assertRequestAllowed({ properties }: OpenShiftCluster, kind: RequestKind): void {
  const { provisioningState: state, failedProvisioningState: failed, creationResumable } = properties;
  const failedFor = state === "Failed" ? failed : undefined;
  if (kind === "listCredentials" || kind === "listAdminCredentials") {
    const without: readonly unknown[] = ["Creating", "Deleting"];
    if (without.includes(state) || without.includes(failedFor)) throw busy(state);
    return;
  }
  if (!isTerminal(state)) throw busy(state);
  if (kind === "delete") return;
  switch (failedFor) {
    case "Creating":
      if (kind === "replace" && creationResumable) return;
      throw notAllowed("Request is not allowed on cluster whose creation failed. Delete the cluster.");
    case "Deleting":
      throw notAllowed("Request is not allowed on cluster whose deletion failed. Delete the cluster.");
    case undefined:
    case "Updating":
    case "AdminUpdating":
      return;
    default:
      throw new CloudError("InternalServerError", "Internal server error.");
  }
}

const allowedStates: Readonly<Record<RequestKind, readonly SubscriptionState[]>> = {
  write: ["Registered"],
  replace: ["Registered"],
  delete: ["Registered", "Warned", "Suspended"],
  listCredentials: ["Registered"],
  listAdminCredentials: ["Registered"],
};

/**
 * Checks that the subscription's state allows the request.
 * @throws CloudError InvalidSubscriptionState
 */
export function assertSubscriptionAllows(
  subscription: Subscription | undefined,
  subscriptionId: string,
  kind: RequestKind,
): void {
  if (!subscription) {
    throw new CloudError(
      "InvalidSubscriptionState",
      `Request is not allowed in unregistered subscription '${subscriptionId}'.`,
    );
  }
  if (!allowedStates[kind].includes(subscription.state)) throw subscriptionInState(subscription.state);
}

/** Returns the error for a request that the subscription's state forbids. */
export function subscriptionInState(state: SubscriptionState): CloudError {
  return new CloudError(
    "InvalidSubscriptionState",
    `Request is not allowed in subscription in state '${state}'.`,
  );
}

function busy(state: string): CloudError {
  return notAllowed(`Request is not allowed in provisioningState '${state}'.`);
}

function notAllowed(message: string): CloudError {
  return new CloudError("RequestNotAllowed", message);
}
