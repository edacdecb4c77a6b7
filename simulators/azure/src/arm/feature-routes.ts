import type { JsonObject } from "@keelson/base";
import { ArmError } from "./arm-error.ts";
import { type ArmRequest, type ArmResponse, ok } from "./exchange.ts";
import { noRoute, only } from "./refusals.ts";
import type { Subscription } from "./subscription.ts";

/**
 * Handles paths below `/subscriptions/{id}/providers/Microsoft.Features`. `segments` contains the segments that follow this
 * prefix.
 */
export function belowFeatures(
  subscription: Subscription,
  segments: readonly string[],
  request: ArmRequest,
): ArmResponse {
  const [kind = "", namespace = "", features = "", name, action] = segments;
  const words = [kind, features].join(" ").toLowerCase().trim();
  if (words === "features" && segments.length === 1) {
    return only(request, "GET", () => list(subscription, () => true));
  }
  if (words !== "providers features" || segments.length > 5) throw noRoute(request);
  if (name === undefined) {
    return only(request, "GET", () => list(subscription, (each) => same(each, namespace)));
  }
  const [knownNamespace, knownName] = find(subscription, namespace, name);
  switch (action?.toLowerCase()) {
    case undefined:
      return only(request, "GET", () => ok(feature(subscription, knownNamespace, knownName)));
    case "register":
      return change(subscription, knownNamespace, knownName, "Registered", request);
    case "unregister":
      return change(subscription, knownNamespace, knownName, "Unregistered", request);
    default:
      throw noRoute(request);
  }
}

function change(
  subscription: Subscription,
  namespace: string,
  name: string,
  state: string,
  request: ArmRequest,
): ArmResponse {
  return only(request, "POST", () => {
    subscription.features.set(namespace, name, state);
    return ok(feature(subscription, namespace, name));
  });
}

function list(subscription: Subscription, wanted: (namespace: string) => boolean): ArmResponse {
  const value = subscription.features
    .ofProviders()
    .filter(({ namespace }) => wanted(namespace))
    .map(({ namespace, name }) => feature(subscription, namespace, name));
  return ok({ value });
}

function find(subscription: Subscription, namespace: string, name: string): readonly [string, string] {
  const all = subscription.features.ofProviders();
  const found = all.find((each) => same(each.namespace, namespace) && same(each.name, name));
  if (found) return [found.namespace, found.name];
  throw new ArmError(
    404,
    "FeatureNotFound",
    `The feature '${name}' could not be found in the namespace '${namespace}'.`,
  );
}

function feature(subscription: Subscription, namespace: string, name: string): JsonObject {
  return {
    id: `/subscriptions/${subscription.subscriptionId}/providers/Microsoft.Features/providers/${namespace}/features/${name}`,
    name: `${namespace}/${name}`,
    type: "Microsoft.Features/providers/features",
    properties: { state: subscription.features.stateOf(namespace, name) },
  };
}

function same(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
