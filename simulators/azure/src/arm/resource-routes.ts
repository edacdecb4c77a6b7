import { ArmError, badRequest } from "./arm-error.ts";
import { keyOf, type ProviderPath, parentId, parseProviderPath, sameId } from "./arm-path.ts";
import { elementName } from "./drafts.ts";
import * as elements from "./element-service.ts";
import type { ArmRequest, ArmResponse } from "./exchange.ts";
import { page } from "./paging.ts";
import { providerView, scopeView, typeView } from "./provider-views.ts";
import { methodNotAllowed, noRoute, only, resourceNotFound } from "./refusals.ts";
import { renderElement, renderResource } from "./rendering.ts";
import type { ResourceRecord } from "./resource.ts";
import { beingDeleted, requireGroup } from "./resource-groups.ts";
import * as service from "./resource-service.ts";
import type { ResourceType } from "./resource-type.ts";
import { elementsOf } from "./resources.ts";
import type { Subscription } from "./subscription.ts";
import { requireSubscription } from "./subscription-routes.ts";
import { checkSupported } from "./supported-versions.ts";

/** Handles all paths below `/providers/{namespace}`: resources, array elements, collections and actions. */
export function belowProvider(subscription: Subscription, request: ArmRequest): ArmResponse {
  const path = parseProviderPath(request.segments);
  if (!path) throw noRoute(request);
  const scope = canonicalScope(subscription, path.scope, request);
  const atScope = scopeView(subscription, path);
  if (atScope) return only(request, "GET", () => atScope(scope, request, subscription));
  const own = providerView(subscription, path);
  if (own) return only(request, own.method, () => own.run(path.names, request, subscription));
  if (subscription.registry.typesIn(path.namespace).length > 0) {
    checkSupported(subscription, path, request.query.get("api-version") ?? "");
  }
  const ofType = typeView(subscription, path);
  if (ofType) return only(request, ofType.method, () => ofType.run(path.names, request, subscription));
  return path.types.length === path.names.length
    ? oneResource(subscription, scope, path, request)
    : collectionOrAction(subscription, scope, path, request);
}

function oneResource(
  subscription: Subscription,
  scope: string,
  path: ProviderPath,
  request: ArmRequest,
): ArmResponse {
  const type = subscription.registry.find(path.namespace, path.types);
  if (!type) return oneElement(subscription, scope, path, request);
  checkScope(subscription, type, scope, request);
  const at = type.scope === "any" ? withGroupSegmentOf(scope, path.scope) : scope;
  const target = targetOf(subscription, type, at, path.names);
  switch (request.method) {
    case "GET":
      return service.getResource(subscription, target, request);
    case "HEAD":
      return thereIs(service.getResource(subscription, target, request));
    case "PUT":
      if (!type.names.test(target.name)) throw invalidName(type, target.name);
      checkParent(subscription, target);
      return service.putResource(subscription, target, request);
    case "PATCH":
      return service.patchResource(subscription, target, request);
    case "DELETE":
      return service.deleteResource(subscription, target, request);
    default:
      throw methodNotAllowed(request);
  }
}

/**
 * Returns the scope with the segment `resourceGroups` in the letter case of `sent`, the scope in the create request. IDs of
 * extension resources retain this letter case.
 */
function withGroupSegmentOf(scope: string, sent: string): string {
  const segment = sent.split("/")[3];
  return segment === undefined ? scope : scope.replace("/resourceGroups/", `/${segment}/`);
}

/** Handles a request for an array element by its own ID. */
function oneElement(
  subscription: Subscription,
  scope: string,
  path: ProviderPath,
  request: ArmRequest,
): ArmResponse {
  const [type, property] = elementType(subscription, path);
  const element = type?.elements?.[property];
  if (!type || !element) throw unknownType(subscription, path, request);
  checkScope(subscription, type, scope, request);
  const holder = targetOf(subscription, type, scope, path.names.slice(0, -1));
  const name = path.names.at(-1) ?? "";
  if (element.fixed && request.method !== "GET" && request.method !== "HEAD") throw methodNotAllowed(request);
  if (request.method === "PUT" && !elementName.test(name)) throw invalidName(type, name);
  if (request.method === "DELETE" && !subscription.resources.find(holder.id)) return { status: 204 };
  const record =
    request.method === "PUT"
      ? requireParent(subscription, holder.id, path)
      : service.requireResource(subscription, holder);
  const target = { record, property, element, name };
  switch (request.method) {
    case "GET":
      return elements.getElement(subscription, target);
    case "HEAD":
      return thereIs(elements.getElement(subscription, target));
    case "PUT":
      return elements.putElement(subscription, target, request);
    case "DELETE":
      return elements.deleteElement(subscription, target, request);
    default:
      throw methodNotAllowed(request);
  }
}

/** Returns the response to `HEAD` for an existing resource. */
function thereIs({ headers }: ArmResponse): ArmResponse {
  return { status: 204, ...(headers ? { headers } : {}) };
}

function collectionOrAction(
  subscription: Subscription,
  scope: string,
  path: ProviderPath,
  request: ArmRequest,
): ArmResponse {
  const type = subscription.registry.find(path.namespace, path.types);
  if (type) return only(request, "GET", () => listOfType(subscription, type, scope, path, request));
  const parent = subscription.registry.find(path.namespace, path.types.slice(0, -1));
  const last = path.types.at(-1);
  if (last === undefined) throw unknownType(subscription, path, request);
  if (!parent) return elementAction(subscription, scope, path, request);
  checkScope(subscription, parent, scope, request);
  const record = service.requireResource(subscription, targetOf(subscription, parent, scope, path.names));
  const action = actionNamed(last, parent.actions);
  if (action) return only(request, action.method, () => action.run(record, request, subscription));
  const [, property] = elementType(subscription, path);
  if (!parent.elements?.[property]) throw unknownType(subscription, path, request);
  return only(request, "GET", () => {
    const render = (each: ReturnType<typeof elementsOf>[number]) =>
      renderElement(record, property, each, subscription);
    return page(
      request,
      elementsOf(record, property),
      (each) => keyOf(String(each.name)),
      render,
      subscription.pageSize,
    );
  });
}

/** Handles an action on an array element: `loadBalancers/lb/loadBalancingRules/rule/health`. */
function elementAction(
  subscription: Subscription,
  scope: string,
  path: ProviderPath,
  request: ArmRequest,
): ArmResponse {
  const of = { ...path, types: path.types.slice(0, -1) };
  const [type, property] = elementType(subscription, of);
  const element = type?.elements?.[property];
  const action = actionNamed(path.types.at(-1) ?? "", element?.actions);
  if (!type || !element || !action) throw unknownType(subscription, path, request);
  checkScope(subscription, type, scope, request);
  const holder = targetOf(subscription, type, scope, path.names.slice(0, -1));
  const record = service.requireResource(subscription, holder);
  const found = elements.requireElement({ record, property, element, name: path.names.at(-1) ?? "" });
  return only(request, action.method, () => action.run(found, request, subscription));
}

function actionNamed<Action>(
  name: string,
  actions: Readonly<Record<string, Action>> = {},
): Action | undefined {
  return Object.entries(actions).find(([each]) => sameId(each, name))?.[1];
}

function listOfType(
  subscription: Subscription,
  type: ResourceType,
  scope: string,
  path: ProviderPath,
  request: ArmRequest,
): ArmResponse {
  const parent = path.types.length > 1 && subscription.registry.find(path.namespace, path.types.slice(0, -1));
  if (parent) service.requireResource(subscription, targetOf(subscription, parent, scope, path.names));
  const isSubscription = scope.split("/").length === 3;
  const rows =
    type.list?.(scope, request, subscription) ??
    (isSubscription && type.scope !== "any"
      ? subscription.resources.ofType(`${type.namespace}/${type.type}`)
      : subscription.resources.inCollection(collectionId(type, scope, path.names)));
  return page(
    request,
    rows,
    (each) => keyOf(each.id),
    (each) => renderResource(each, subscription, request),
    subscription.pageSize,
  );
}

/**
 * Returns the resource type that contains the array, and the name of the array as the type declares it. The path's last type
 * names the array in any letter case.
 */
function elementType(
  subscription: Subscription,
  path: ProviderPath,
): readonly [ResourceType | undefined, string] {
  const type = subscription.registry.find(path.namespace, path.types.slice(0, -1));
  const last = path.types.at(-1)?.toLowerCase();
  return [type, Object.keys(type?.elements ?? {}).find((name) => name.toLowerCase() === last) ?? ""];
}

function targetOf(
  subscription: Subscription,
  type: ResourceType,
  scope: string,
  names: readonly string[],
): service.Target {
  const at = type.home?.(subscription) ?? scope;
  const name = names.at(-1) ?? "";
  return { type, id: `${collectionId(type, at, names.slice(0, -1))}/${name}`, name };
}

function collectionId(type: ResourceType, scope: string, names: readonly string[]): string {
  const types = type.type.split("/");
  const parents = types.slice(0, -1).flatMap((each, index) => [each, names[index] ?? ""]);
  return [scope, "providers", type.namespace, ...parents, types.at(-1)].join("/");
}

/** Returns the ID of an existing scope in its original letter case. @throws ArmError */
function canonicalScope(subscription: Subscription, scope: string, request: ArmRequest): string {
  const [, , subscriptionId, kind, group] = scope.split("/");
  if (subscriptionId === undefined) return "";
  requireSubscription(subscription, subscriptionId);
  const base = `/subscriptions/${subscription.subscriptionId}`;
  if (kind === undefined) return base;
  if (kind.toLowerCase() !== "resourcegroups" || group === undefined) throw noRoute(request);
  const found = requireGroup(subscription, group);
  if (found.state === "Deleting" && ["PUT", "PATCH", "POST"].includes(request.method)) {
    // While a group is being deleted, a first-party service may still change existing resources in it.
    const isService = subscription.firstParties.has(request.principal.clientId.toLowerCase());
    const isThere = subscription.resources.resolve(`/${request.segments.join("/")}`) !== undefined;
    if (!isService || !isThere) throw beingDeleted(found);
  }
  const rest = scope.split("/").slice(5);
  if (rest.length === 0) return found.id;
  // Resources of an external provider can also have locks and role assignments.
  const isRemote = subscription.registry.providersOf(rest[1] ?? "").some((each) => each.isRemote);
  if (isRemote) return `${found.id}/${rest.join("/")}`;
  const resource = subscription.resources.resolve(scope);
  if (!resource) {
    throw resourceNotFound(rest.slice(1).join("/"), group);
  }
  return resource.element ? String(resource.element.id) : resource.record.id;
}

function checkScope(
  subscription: Subscription,
  type: ResourceType,
  scope: string,
  request: ArmRequest,
): void {
  if (type.scope === "any") return;
  if (scope.split("/").length === 5) return;
  throw subscription.registry.unknownType(
    type.namespace,
    [type.type],
    request.query.get("api-version") ?? "",
  );
}

function invalidName(type: ResourceType, name: string): ArmError {
  return badRequest(
    "InvalidResourceName",
    `Resource name ${name} is invalid for the type ${type.namespace}/${type.type}.`,
  );
}

function checkParent(subscription: Subscription, target: service.Target): void {
  if (target.type.type.includes("/") && !subscription.resources.find(parentId(target.id))) {
    throw parentNotFound(target.type.type, parentId(target.id));
  }
}

function requireParent(subscription: Subscription, id: string, path: ProviderPath): ResourceRecord {
  const record = subscription.resources.find(id);
  if (record) return record;
  throw parentNotFound(path.types.join("/"), id);
}

function parentNotFound(type: string, id: string): ArmError {
  return new ArmError(
    404,
    "ParentResourceNotFound",
    `Failed to perform 'write' on resource(s) of type '${type}', because the parent resource '${id}' could not be found.`,
  );
}

function unknownType(subscription: Subscription, path: ProviderPath, request: ArmRequest): ArmError {
  return subscription.registry.unknownType(
    path.namespace,
    path.types,
    request.query.get("api-version") ?? "",
  );
}
