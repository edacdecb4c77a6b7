import { badRequest } from "./arm-error.ts";
import { keyOf } from "./arm-path.ts";
import type { ArmRequest, ArmResponse } from "./exchange.ts";
import { belowFeatures } from "./features.ts";
import { getOperation, getOperationResult } from "./operation-routes.ts";
import { getProvider, listProviders, setRegistration } from "./providers.ts";
import { methodNotAllowed, noRoute } from "./refusals.ts";
import * as groups from "./resource-groups.ts";
import { belowProvider } from "./resource-routes.ts";
import { scopeTags } from "./scope-tags.ts";
import type { Subscription } from "./subscription.ts";
import * as subscriptions from "./subscription-routes.ts";
import { tagNames } from "./tag-names.ts";

/** `names` are what the placeholders of the route's path stand for; `rest` is what `**` does. */
type Handler = (
  subscription: Subscription,
  request: ArmRequest,
  names: readonly string[],
  rest: readonly string[],
) => ArmResponse;

/** By method; a handler alone judges the method itself. */
type Handlers = Readonly<Record<string, Handler>> | Handler;

/**
 * Every path of Azure Resource Manager, the first that fits counts. `*` is one segment after the subscription's ID, `**`
 * are any. Resources, collections, actions and views of providers are the last two: `registry` knows them.
 */
const routes = Object.entries<Handlers>({
  tenants: { GET: subscriptions.listTenants },
  subscriptions: { GET: subscriptions.listSubscriptions },
  "subscriptions/*": { GET: subscriptions.getSubscription },
  "subscriptions/*/locations": { GET: subscriptions.listLocations },
  "subscriptions/*/resources": {
    GET: (subscription, request) => subscriptions.listResources(subscription, undefined, request),
  },
  "subscriptions/*/resourceGroups": { GET: groups.listGroups },
  "subscriptions/*/resourceGroups/*": {
    GET: (subscription, _request, [name = ""]) => groups.getGroup(subscription, name),
    HEAD: (subscription, _request, [name = ""]) => groups.headGroup(subscription, name),
    PUT: (subscription, request, [name = ""]) => groups.putGroup(subscription, name, request),
    PATCH: (subscription, request, [name = ""]) => groups.patchGroup(subscription, name, request),
    DELETE: (subscription, request, [name = ""]) => groups.deleteGroup(subscription, name, request),
  },
  "subscriptions/*/resourceGroups/*/resources": {
    GET(subscription, request, [name = ""]) {
      groups.requireGroup(subscription, name);
      return subscriptions.listResources(subscription, name, request);
    },
  },
  "subscriptions/*/operationresults/*": {
    GET: (subscription, request, [id = ""]) => getOperationResult(subscription, id, request),
  },
  "subscriptions/*/providers": { GET: listProviders },
  "subscriptions/*/providers/*": {
    GET: (subscription, _request, [namespace = ""]) => getProvider(subscription, namespace),
  },
  "subscriptions/*/providers/*/register": {
    POST: (subscription, _request, [namespace = ""]) =>
      setRegistration(subscription, namespace, "Registered"),
  },
  "subscriptions/*/providers/*/unregister": {
    POST: (subscription, _request, [namespace = ""]) =>
      setRegistration(subscription, namespace, "Unregistered"),
  },
  "subscriptions/*/**/providers/Microsoft.Resources/tags/default": scopeTags,
  "subscriptions/*/tagNames/**": (subscription, request, _names, rest) =>
    tagNames(subscription, rest, request),
  "subscriptions/*/providers/Microsoft.Features/**": (subscription, request, _names, rest) =>
    belowFeatures(subscription, rest, request),
  "subscriptions/*/providers/*/locations/*/operations/*": {
    GET: (subscription, request, names) => getOperation(subscription, names[2] ?? "", request),
  },
  "subscriptions/*/**": belowProvider,
  "providers/**": belowProvider,
}).map(([path, handlers]) => ({ pattern: path.split("/").map(keyOf), handlers }));

/**
 * Answers a request to ARM, synchronously and in one transaction: what is refused has changed nothing.
 * @throws ArmError
 */
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
    const match = matched(pattern, request.segments);
    if (!match) continue;
    const method = request.method === "HEAD" && !("HEAD" in handlers) ? "GET" : request.method;
    const handler = typeof handlers === "function" ? handlers : handlers[method];
    if (!handler) throw methodNotAllowed(request);
    return handler(subscription, request, match.names.slice(isBelowSubscription ? 1 : 0), match.rest);
  }
  throw noRoute(request);
}

interface Match {
  readonly names: readonly string[];
  readonly rest: readonly string[];
}

/** What the placeholders of a pattern in lower case stand for in a path; `undefined` where it does not fit. */
function matched(pattern: readonly string[], segments: readonly string[]): Match | undefined {
  const open = pattern.indexOf("**");
  const [head, tail] = open < 0 ? [pattern, []] : [pattern.slice(0, open), pattern.slice(open + 1)];
  const end = segments.length - tail.length;
  if (open < 0 ? segments.length !== head.length : end < head.length) return undefined;
  const rest = segments.slice(head.length, end);
  const given = [...segments.slice(0, head.length), ...segments.slice(end)];
  const fixed = [...head, ...tail];
  if (!fixed.every((each, at) => each === "*" || each === keyOf(given[at] ?? ""))) return undefined;
  return { names: given.filter((_, at) => fixed[at] === "*"), rest };
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
