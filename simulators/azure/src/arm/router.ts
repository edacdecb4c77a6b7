import { PathPattern } from "@keelson/http";
import { badRequest } from "./arm-error.ts";
import { keyOf, sameId } from "./arm-path.ts";
import type { ArmRequest, ArmResponse } from "./exchange.ts";
import { belowFeatures } from "./feature-routes.ts";
import { getOperation, getOperationResult } from "./operation-routes.ts";
import { getProvider, listProviders, setRegistration } from "./providers.ts";
import { methodNotAllowed, noRoute } from "./refusals.ts";
import * as groups from "./resource-groups.ts";
import { belowProvider } from "./resource-routes.ts";
import { scopeTags } from "./scope-tags.ts";
import type { Subscription } from "./subscription.ts";
import * as subscriptions from "./subscription-routes.ts";
import { tagNames } from "./tag-names.ts";

/**
 * Handles a request. `names` contains the values of the route's placeholders in order, but not the subscription ID. `rest`
 * contains the segments that match `{*}`.
 */
type Handler = (
  subscription: Subscription,
  request: ArmRequest,
  names: readonly string[],
  rest: readonly string[],
) => ArmResponse;

/** Handlers by HTTP method, or a single handler for all methods. A single handler must check the method itself. */
type Handlers = Readonly<Record<string, Handler>> | Handler;

/**
 * Routes of Azure Resource Manager. The first matching route applies. The last two routes handle resources, collections, actions
 * and views of the providers in `registry`.
 */
const routes = Object.entries<Handlers>({
  tenants: { GET: subscriptions.listTenants },
  subscriptions: { GET: subscriptions.listSubscriptions },
  "subscriptions/{subscription}": { GET: subscriptions.getSubscription },
  "subscriptions/{subscription}/locations": { GET: subscriptions.listLocations },
  "subscriptions/{subscription}/resources": {
    GET: (subscription, request) => subscriptions.listResources(subscription, undefined, request),
  },
  "subscriptions/{subscription}/resourceGroups": { GET: groups.listGroups },
  "subscriptions/{subscription}/resourceGroups/{group}": {
    GET: (subscription, _request, [name = ""]) => groups.getGroup(subscription, name),
    HEAD: (subscription, _request, [name = ""]) => groups.headGroup(subscription, name),
    PUT: (subscription, request, [name = ""]) => groups.putGroup(subscription, name, request),
    PATCH: (subscription, request, [name = ""]) => groups.patchGroup(subscription, name, request),
    DELETE: (subscription, request, [name = ""]) => groups.deleteGroup(subscription, name, request),
  },
  "subscriptions/{subscription}/resourceGroups/{group}/resources": {
    GET(subscription, request, [name = ""]) {
      groups.requireGroup(subscription, name);
      return subscriptions.listResources(subscription, name, request);
    },
  },
  "subscriptions/{subscription}/operationresults/{operation}": {
    GET: (subscription, request, [id = ""]) => getOperationResult(subscription, id, request),
  },
  "subscriptions/{subscription}/providers": { GET: listProviders },
  "subscriptions/{subscription}/providers/{namespace}": {
    GET: (subscription, _request, [namespace = ""]) => getProvider(subscription, namespace),
  },
  "subscriptions/{subscription}/providers/{namespace}/register": {
    POST: (subscription, _request, [namespace = ""]) =>
      setRegistration(subscription, namespace, "Registered"),
  },
  "subscriptions/{subscription}/providers/{namespace}/unregister": {
    POST: (subscription, _request, [namespace = ""]) =>
      setRegistration(subscription, namespace, "Unregistered"),
  },
  "subscriptions/{subscription}/{*}/providers/Microsoft.Resources/tags/default": scopeTags,
  "subscriptions/{subscription}/tagNames/{*}": (subscription, request, _names, rest) =>
    tagNames(subscription, rest, request),
  "subscriptions/{subscription}/providers/Microsoft.Features/{*}": (subscription, request, _names, rest) =>
    belowFeatures(subscription, rest, request),
  "subscriptions/{subscription}/providers/{namespace}/locations/{location}/operations/{operation}": {
    GET: (subscription, request, [namespace = "", , id = ""]) =>
      getOperation(subscription, namespace, id, request),
  },
  "subscriptions/{subscription}/{*}": belowProvider,
  "providers/{*}": belowProvider,
}).map(([path, handlers]) => ({ pattern: new PathPattern(path), handlers }));

/** Handles a request to ARM synchronously in one transaction. A rejected request changes nothing. @throws ArmError */
export function handle(subscription: Subscription, request: ArmRequest): ArmResponse {
  checkApiVersion(request);
  return subscription.store.transaction(() => {
    subscription.access.authorize(request);
    return route(subscription, request);
  });
}

function route(subscription: Subscription, request: ArmRequest): ArmResponse {
  const [root = "", subscriptionId] = request.segments;
  const isBelowSubscription = keyOf(root) === "subscriptions" && subscriptionId !== undefined;
  if (isBelowSubscription) subscriptions.requireSubscription(subscription, subscriptionId);
  for (const { pattern, handlers } of routes) {
    const match = pattern.match(request.segments, sameId);
    if (!match) continue;
    const method = request.method === "HEAD" && !("HEAD" in handlers) ? "GET" : request.method;
    const handler = typeof handlers === "function" ? handlers : handlers[method];
    if (!handler) throw methodNotAllowed(request);
    return handler(
      subscription,
      request,
      [...match.names.values()].slice(isBelowSubscription ? 1 : 0),
      match.rest,
    );
  }
  throw noRoute(request);
}

/** Validates the `api-version` parameter. @throws ArmError 400 */
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
