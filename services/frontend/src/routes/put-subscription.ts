import { create, replace } from "@keelson/database";
import { assertSubscriptionTransition, parseSubscription } from "@keelson/model";
import type { Answer } from "../answer.ts";
import { conflict, retryConflicts, unexpectedResult } from "../conflict-retry.ts";
import type { Exchange } from "../exchange.ts";
import type { Route } from "../route.ts";
import type { Service } from "../service.ts";
import { armsAlone } from "../version-rule.ts";
import { paths } from "./paths.ts";

/** The life of a subscription, as Azure Resource Manager announces it. */
export const putSubscription: Route = {
  method: "PUT",
  path: paths.subscription,
  versions: armsAlone,
  authorization: "caller",
  handle: (exchange, service) =>
    retryConflicts(service.clock, exchange.signal, () => attemptPut(exchange, service)),
};

async function attemptPut(exchange: Exchange, { database }: Service): Promise<Answer | typeof conflict> {
  const { subscriptions } = database.collections;
  const id = exchange.parameter("subscriptionId");
  const subscription = exchange.read(parseSubscription);
  const stored = await subscriptions.find(id, id, exchange.signal);
  assertSubscriptionTransition(stored?.document.subscription.state, subscription.state);
  // Workers delete the clusters of a deleted subscription, and end the flag when none is left.
  const deleting = subscription.state === "Deleted";
  const document = { ...(stored?.document ?? { id, partitionKey: id }), deleting, subscription };
  const result = await database.commit(
    id,
    [stored ? replace(subscriptions, stored, document) : create(subscriptions, document)],
    { signal: exchange.signal },
  );
  if (result.kind === "conflict") return conflict;
  if (result.kind !== "committed") throw unexpectedResult(result);
  return { status: stored ? 200 : 201, body: subscription };
}
