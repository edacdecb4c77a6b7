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
import * as subscriptions from "./subscription-routes.ts";
import { tagNames } from "./tag-names.ts";
import type { World } from "./world.ts";

/**
 * Answers a request to ARM, synchronously and in one transaction: what is refused has changed nothing.
 * @throws ArmError
 */
export function handle(world: World, request: ArmRequest): ArmResponse {
  checkApiVersion(request);
  return world.store.transaction(() => {
    authorize(world, request);
    return route(world, request);
  });
}

function route(world: World, request: ArmRequest): ArmResponse {
  const [root = "", subscriptionId, ...rest] = request.segments;
  switch (root.toLowerCase()) {
    case "tenants":
      if (request.segments.length === 1) return only(request, "GET", () => subscriptions.listTenants(world));
      break;
    case "subscriptions":
      if (subscriptionId === undefined)
        return only(request, "GET", () => subscriptions.listSubscriptions(world, request));
      subscriptions.requireSubscription(world, subscriptionId);
      return inSubscription(world, rest, request);
    case "providers":
      return belowProvider(world, request);
  }
  throw noRoute(request);
}

function inSubscription(world: World, rest: readonly string[], request: ArmRequest): ArmResponse {
  const [kind = "", name, third, ...more] = rest;
  switch (`${kind.toLowerCase()} ${rest.length}`) {
    case " 0":
      return only(request, "GET", () => subscriptions.getSubscription(world));
    case "locations 1":
      return only(request, "GET", () => subscriptions.listLocations(world));
    case "resources 1":
      return only(request, "GET", () => subscriptions.listResources(world, undefined, request));
    case "resourcegroups 1":
      return only(request, "GET", () => groups.listGroups(world, request));
    case "resourcegroups 2":
      return oneGroup(world, name ?? "", request);
    case "operationresults 2":
      return only(request, "GET", () => getOperationResult(world, name ?? "", request));
    case "providers 1":
      return only(request, "GET", () => listProviders(world));
    case "providers 2":
      return only(request, "GET", () => getProvider(world, name ?? ""));
    case "providers 3":
      if (third?.toLowerCase() === "register")
        return only(request, "POST", () => setRegistration(world, name ?? "", "Registered"));
      if (third?.toLowerCase() === "unregister")
        return only(request, "POST", () => setRegistration(world, name ?? "", "Unregistered"));
      break;
    case "resourcegroups 3":
      if (third?.toLowerCase() !== "resources") break;
      groups.requireGroup(world, name ?? "");
      return only(request, "GET", () => subscriptions.listResources(world, name, request));
  }
  if (isActivityLog(rest)) return listActivities(world, request);
  if (isScopeTags(rest)) return scopeTags(world, request);
  if (kind.toLowerCase() === "tagnames") return tagNames(world, rest.slice(1), request);
  if (kind.toLowerCase() === "providers" && name?.toLowerCase() === "microsoft.features") {
    return belowFeatures(world, rest.slice(2), request);
  }
  const [, operations = "", id = ""] = more;
  if (kind.toLowerCase() === "providers" && operations.toLowerCase() === "operations" && rest.length === 6) {
    return only(request, "GET", () => getOperation(world, id, request));
  }
  return belowProvider(world, request);
}

function oneGroup(world: World, name: string, request: ArmRequest): ArmResponse {
  switch (request.method) {
    case "GET":
      return groups.getGroup(world, name);
    case "HEAD":
      return groups.headGroup(world, name);
    case "PUT":
      return groups.putGroup(world, name, request);
    case "PATCH":
      return groups.patchGroup(world, name, request);
    case "DELETE":
      return groups.deleteGroup(world, name, request);
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
