import { CloudError } from "@keelson/arm";
import { isAdminRequest } from "@keelson/auth";
import type { CommitOptions } from "@keelson/database";
import type { RequestContext } from "../http/messages/request-context.ts";
import type { Service } from "../service/service.ts";

/**
 * Returns the commit options that limit the number of queued operations per subscription. Administrators' requests are not
 * limited.
 */
export function operationLimit(
  request: RequestContext,
  { database, operationsPerSubscription }: Service,
): Pick<CommitOptions, "queueLimit"> {
  if (operationsPerSubscription === undefined || isAdminRequest(request)) return {};
  const collection = database.collections.clusters.definition.name;
  return { queueLimit: { collection, max: operationsPerSubscription } };
}

export function operationsThrottled(
  request: RequestContext,
  { operationsPerSubscription }: Service,
): CloudError {
  return new CloudError(
    "OperationsThrottled",
    `Subscription '${request.parameter("subscriptionId")}' has ${operationsPerSubscription} unfinished operations, ` +
      "the maximum in this region. Try again when some of them have ended.",
  );
}
