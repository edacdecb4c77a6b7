import { create, replace } from "@keelson/database";
import { assertSubscriptionTransition, parseSubscription } from "@keelson/model";
import { conflict, retryConflicts, unexpectedResult } from "../commits/conflict-retry.ts";
import { paths } from "../http/messages/paths.ts";
import type { RequestContext } from "../http/messages/request-context.ts";
import type { Response } from "../http/messages/response.ts";
import { armOnly } from "../http/messages/version-rule.ts";
import type { Route } from "../http/route.ts";
import type { Service } from "../service/service.ts";

/** Stores the state of a subscription. Azure Resource Manager sends the state to the service. */
export const putSubscription: Route = {
  method: "PUT",
  path: paths.subscription,
  versions: armOnly,
  handle: (request, service) =>
    retryConflicts(service.clock, request.signal, () => attemptPut(request, service)),
};

async function attemptPut(
  request: RequestContext,
  { database }: Service,
): Promise<Response | typeof conflict> {
  const { subscriptions } = database.collections;
  const id = request.parameter("subscriptionId");
  const subscription = request.read(parseSubscription);
  const stored = await subscriptions.find(id, id, request.signal);
  assertSubscriptionTransition(stored?.document.subscription.state, subscription.state);
  // The flag makes workers delete the clusters of a deleted subscription. A worker removes the flag after it has deleted the last
  // cluster.
  const deleting = subscription.state === "Deleted";
  const document = { ...(stored?.document ?? { id, partitionKey: id }), deleting, subscription };
  const result = await database.commit(
    id,
    [stored ? replace(subscriptions, stored, document) : create(subscriptions, document)],
    { signal: request.signal },
  );
  if (result.kind === "conflict") return conflict;
  if (result.kind !== "committed") throw unexpectedResult(result);
  return { status: stored ? 200 : 201, body: subscription };
}
