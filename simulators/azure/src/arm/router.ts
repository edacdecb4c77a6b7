import { authorize } from "../authorization/enforcement.ts";
import { isActivityLog, listActivities } from "../insights/activity-log.ts";
import { badRequest } from "./arm-error.ts";
import type { ArmRequest, ArmResponse } from "./exchange.ts";
import { belowFeatures } from "./features.ts";
import { getOperation, getOperationResult } from "./operation-routes.ts";
import { getProvider, listProviders, setRegistration } from "./providers.ts";
import { methodNotAllowed, noRoute, only } from "./refusals.ts";
import * as groups from "./resource-groups.ts";
import { belowProvider } from "./resource-routes.ts";
import { isScopeTags, scopeTags } from "./scope-tags.ts";
import type { Subscription } from "./subscription.ts";
import * as subscriptions from "./subscription-routes.ts";
import { tagNames } from "./tag-names.ts";

/**
 * Answers a request to ARM, synchronously and in one transaction: what is refused has changed nothing.
 * @throws ArmError
 */
export function handle(subscription: Subscription, request: ArmRequest): ArmResponse {
  checkApiVersion(request);
  return subscription.store.transaction(() => {
    authorize(subscription, request);
    return route(subscription, request);
  });
}

function route(subscription: Subscription, request: ArmRequest): ArmResponse {
  const [root = "", subscriptionId, ...rest] = request.segments;
  switch (root.toLowerCase()) {
    case "tenants":
      if (request.segments.length === 1)
        return only(request, "GET", () => subscriptions.listTenants(subscription));
      break;
    case "subscriptions":
      if (subscriptionId === undefined)
        return only(request, "GET", () => subscriptions.listSubscriptions(subscription, request));
      subscriptions.requireSubscription(subscription, subscriptionId);
      return inSubscription(subscription, rest, request);
    case "providers":
      return belowProvider(subscription, request);
  }
  throw noRoute(request);
}

function inSubscription(
  subscription: Subscription,
  rest: readonly string[],
  request: ArmRequest,
): ArmResponse {
  const [kind = "", name, third, ...more] = rest;
  switch (`${kind.toLowerCase()} ${rest.length}`) {
    case " 0":
      return only(request, "GET", () => subscriptions.getSubscription(subscription));
    case "locations 1":
      return only(request, "GET", () => subscriptions.listLocations(subscription));
    case "resources 1":
      return only(request, "GET", () => subscriptions.listResources(subscription, undefined, request));
    case "resourcegroups 1":
      return only(request, "GET", () => groups.listGroups(subscription, request));
    case "resourcegroups 2":
      return oneGroup(subscription, name ?? "", request);
    case "operationresults 2":
      return only(request, "GET", () => getOperationResult(subscription, name ?? "", request));
    case "providers 1":
      return only(request, "GET", () => listProviders(subscription));
    case "providers 2":
      return only(request, "GET", () => getProvider(subscription, name ?? ""));
    case "providers 3":
      if (third?.toLowerCase() === "register")
        return only(request, "POST", () => setRegistration(subscription, name ?? "", "Registered"));
      if (third?.toLowerCase() === "unregister")
        return only(request, "POST", () => setRegistration(subscription, name ?? "", "Unregistered"));
      break;
    case "resourcegroups 3":
      if (third?.toLowerCase() !== "resources") break;
      groups.requireGroup(subscription, name ?? "");
      return only(request, "GET", () => subscriptions.listResources(subscription, name, request));
  }
  if (isActivityLog(rest)) return listActivities(subscription, request);
  if (isScopeTags(rest)) return scopeTags(subscription, request);
  if (kind.toLowerCase() === "tagnames") return tagNames(subscription, rest.slice(1), request);
  if (kind.toLowerCase() === "providers" && name?.toLowerCase() === "microsoft.features") {
    return belowFeatures(subscription, rest.slice(2), request);
  }
  const [, operations = "", id = ""] = more;
  if (kind.toLowerCase() === "providers" && operations.toLowerCase() === "operations" && rest.length === 6) {
    return only(request, "GET", () => getOperation(subscription, id, request));
  }
  return belowProvider(subscription, request);
}

function oneGroup(subscription: Subscription, name: string, request: ArmRequest): ArmResponse {
  switch (request.method) {
    case "GET":
      return groups.getGroup(subscription, name);
    case "HEAD":
      return groups.headGroup(subscription, name);
    case "PUT":
      return groups.putGroup(subscription, name, request);
    case "PATCH":
      return groups.patchGroup(subscription, name, request);
    case "DELETE":
      return groups.deleteGroup(subscription, name, request);
    default:
      throw methodNotAllowed(request);
  }
}

/** @throws ArmError 400 */
export function checkApiVersion(request: ArmRequest): void {
  const version = request.query.get("api-version");
  if (version === null || version === "") {
    throw badRequest(
      "MissingApiVersionParameter",
      "The api-version query parameter (?api-version=) is required for all requests.",
    );
  }
  if (!/^\d{4}-\d{2}-\d{2}(-[a-z]+)?$/i.test(version)) {
    throw badRequest("InvalidApiVersionParameter", `The api-version '${version}' is invalid.`);
  }
}
