import type { JsonObject } from "@keelson/base";
import { nonEmptyStringAt } from "../base/json.ts";
import { ArmError } from "./arm-error.ts";
import { parseResourceId } from "./arm-path.ts";
import { type ArmRequest, type ArmResponse, ok } from "./exchange.ts";
import { groupJobOf, operationIdOf } from "./group-job.ts";
import { signedOperationUrl } from "./operation-url.ts";
import { type Operation, renderOperation } from "./operations.ts";
import type { ResourceRecord } from "./resource.ts";
import type { Subscription } from "./subscription.ts";

/** Maximum duration of a short operation in ms. Short operations complete before the response to the first poll. */
const shortMs = 50;

/** Returns the response headers for polling an operation on a resource. */
export function asyncHeaders(
  subscription: Subscription,
  record: ResourceRecord,
  operation: Operation,
  request: ArmRequest,
): Record<string, string> {
  const namespace = record.type.split("/")[0] ?? "";
  const location = nonEmptyStringAt(record.body, "location") ?? "global";
  const path = `/subscriptions/${subscription.subscriptionId}/providers/${namespace}/locations/${location}/operations/${operation.id}`;
  return {
    ...(request.method === "PUT" && isStatusOnly(subscription, namespace)
      ? { "azure-asyncnotification": "Enabled" }
      : {}),
    "azure-asyncoperation": operationUrl(subscription, path, request),
    ...retryAfter(subscription, operation, isShort(operation) ? 0 : 1),
  };
}

/** Returns the response headers for polling an operation that leaves no resource, such as the deletion of a group. */
export function locationHeader(
  subscription: Subscription,
  operation: Operation,
  request: ArmRequest,
): Record<string, string> {
  const path = `/subscriptions/${subscription.subscriptionId}/operationresults/${groupJobOf(subscription, operation)}`;
  return {
    location: operationUrl(subscription, path, request),
    ...retryAfter(subscription, operation, 1),
  };
}

/** Handles `GET` of an `Azure-AsyncOperation` URL. */
export function getOperation(
  subscription: Subscription,
  namespace: string,
  id: string,
  request: ArmRequest,
): ArmResponse {
  const operation = requireOperation(subscription, id);
  const response = ok(
    isStatusOnly(subscription, namespace)
      ? statusOf(operation)
      : renderOperation(operation, `/${request.segments.join("/")}`),
  );
  if (operation.status !== "InProgress") return response;
  return { ...response, headers: retryAfter(subscription, operation, 1) };
}

/** Handles `GET` of a `Location` URL. Returns 202 until the operation has completed. */
export function getOperationResult(subscription: Subscription, id: string, request: ArmRequest): ArmResponse {
  const operation = requireOperation(subscription, operationIdOf(id));
  switch (operation.status) {
    case "InProgress":
      return { status: 202, headers: locationHeader(subscription, operation, request) };
    case "Succeeded":
      return { status: 200 };
    case "Failed":
      return { status: 409, body: { error: operation.error ?? null } };
  }
}

function statusOf({ status, error }: Operation): JsonObject {
  return { status, ...(error ? { error } : {}) };
}

/**
 * Returns the `Retry-After` header. Only responses to writes contain the value 0, so that Python clients poll immediately. After
 * a poll response with 0, these clients would wait 30 seconds.
 */
function retryAfter(
  { timings: { recordedPolls } }: Subscription,
  { retryAfterSeconds, target }: Operation,
  usualSeconds: number,
): Record<string, string> {
  const seconds =
    retryAfterSeconds ?? (recordedPolls ? recordedPolls.retryAfter[typeOf(target)] : usualSeconds);
  return seconds === undefined ? {} : { "retry-after": String(seconds) };
}

/** Returns the resource type of an operation's target, in lower case. */
function typeOf(target: string): string {
  const path = parseResourceId(target);
  const type = path ? `${path.namespace}/${path.types.join("/")}` : "Microsoft.Resources/resourceGroups";
  return type.toLowerCase();
}

function isShort({ startTime, dueTime }: Operation): boolean {
  return Date.parse(dueTime) - Date.parse(startTime) <= shortMs;
}

function isStatusOnly({ registry }: Subscription, namespace: string): boolean {
  return registry.providersOf(namespace).some(({ statusOnly }) => statusOnly);
}

function requireOperation(subscription: Subscription, id: string): Operation {
  const operation = subscription.operations.find(id);
  if (operation) return operation;
  throw new ArmError(404, "OperationNotFound", `The operation '${id}' was not found.`);
}

function operationUrl({ clock }: Subscription, path: string, { baseUrl, query }: ArmRequest): string {
  const version = encodeURIComponent(query.get("api-version") ?? "");
  return signedOperationUrl(`${baseUrl}${path}?api-version=${version}`, clock.now());
}
