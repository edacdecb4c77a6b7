import { textAt } from "../json.ts";
import { ArmError } from "./arm-error.ts";
import { type ArmRequest, type ArmResponse, ok } from "./exchange.ts";
import { type Operation, renderOperation } from "./operations.ts";
import type { ResourceRecord } from "./resource.ts";
import type { Subscription } from "./subscription.ts";

/** ARM's clients round up to whole seconds and take 0 for "not said", so that one second is the shortest wait. */
function retryAfter({ retryAfterSeconds = 1 }: Operation): Record<string, string> {
  return { "retry-after": String(retryAfterSeconds) };
}

/** Where the client finds an operation on a resource. */
export function asyncHeaders(
  subscription: Subscription,
  record: ResourceRecord,
  operation: Operation,
  request: ArmRequest,
): Record<string, string> {
  const namespace = record.type.split("/")[0] ?? "";
  const location = textAt(record.body, "location") ?? "global";
  const path = `/subscriptions/${subscription.subscriptionId}/providers/${namespace}/locations/${location}/operations/${operation.id}`;
  return {
    "azure-asyncoperation": `${request.baseUrl}${path}?${apiVersion(request)}`,
    ...retryAfter(operation),
  };
}

/** Where the client finds the result of an operation that leaves no resource to read. */
export function locationHeader(
  subscription: Subscription,
  operation: Operation,
  request: ArmRequest,
): Record<string, string> {
  const path = `/subscriptions/${subscription.subscriptionId}/operationresults/${operation.id}`;
  return { location: `${request.baseUrl}${path}?${apiVersion(request)}`, ...retryAfter(operation) };
}

/** `GET` of an `Azure-AsyncOperation` URL. */
export function getOperation(subscription: Subscription, id: string, request: ArmRequest): ArmResponse {
  const operation = requireOperation(subscription, id);
  const answer = ok(renderOperation(operation, `/${request.segments.join("/")}`));
  return operation.status === "InProgress" ? { ...answer, headers: retryAfter(operation) } : answer;
}

/** `GET` of a `Location` URL: 202 until the operation is over. */
export function getOperationResult(subscription: Subscription, id: string, request: ArmRequest): ArmResponse {
  const operation = requireOperation(subscription, id);
  switch (operation.status) {
    case "InProgress":
      return { status: 202, headers: locationHeader(subscription, operation, request) };
    case "Succeeded":
      return { status: 200 };
    case "Failed":
      return { status: 409, body: { error: operation.error ?? null } };
  }
}

function requireOperation(subscription: Subscription, id: string): Operation {
  const operation = subscription.operations.find(id);
  if (operation) return operation;
  throw new ArmError(404, "OperationNotFound", `The operation '${id}' was not found.`);
}

function apiVersion(request: ArmRequest): string {
  return `api-version=${encodeURIComponent(request.query.get("api-version") ?? "")}`;
}
