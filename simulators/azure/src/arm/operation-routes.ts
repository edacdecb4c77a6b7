import { textAt } from "../json.ts";
import { ArmError } from "./arm-error.ts";
import { type ArmRequest, type ArmResponse, ok } from "./exchange.ts";
import { type Operation, renderOperation } from "./operations.ts";
import type { ResourceRecord } from "./resource.ts";
import type { World } from "./world.ts";

/** ARM's clients round up to whole seconds and take 0 for "not said", so that one second is the shortest wait. */
function retryAfter({ retryAfterSeconds = 1 }: Operation): Record<string, string> {
  return { "retry-after": String(retryAfterSeconds) };
}

/** Where the client finds an operation on a resource. */
export function asyncHeaders(
  world: World,
  record: ResourceRecord,
  operation: Operation,
  request: ArmRequest,
): Record<string, string> {
  const namespace = record.type.split("/")[0] ?? "";
  const location = textAt(record.body, "location") ?? "global";
  const path = `/subscriptions/${world.subscriptionId}/providers/${namespace}/locations/${location}/operations/${operation.id}`;
  return {
    "azure-asyncoperation": `${request.baseUrl}${path}?${apiVersion(request)}`,
    ...retryAfter(operation),
  };
}

/** Where the client finds the result of an operation that has no resource to look at afterwards. */
export function locationHeader(
  world: World,
  operation: Operation,
  request: ArmRequest,
): Record<string, string> {
  const path = `/subscriptions/${world.subscriptionId}/operationresults/${operation.id}`;
  return { location: `${request.baseUrl}${path}?${apiVersion(request)}`, ...retryAfter(operation) };
}

/** `GET` of an `Azure-AsyncOperation` URL. */
export function getOperation(world: World, id: string, request: ArmRequest): ArmResponse {
  const operation = requireOperation(world, id);
  const answer = ok(renderOperation(operation, `/${request.segments.join("/")}`));
  return operation.status === "InProgress" ? { ...answer, headers: retryAfter(operation) } : answer;
}

/** `GET` of a `Location` URL: 202 until the operation is over. */
export function getOperationResult(world: World, id: string, request: ArmRequest): ArmResponse {
  const operation = requireOperation(world, id);
  switch (operation.status) {
    case "InProgress":
      return { status: 202, headers: locationHeader(world, operation, request) };
    case "Succeeded":
      return { status: 200 };
    case "Failed":
      return { status: 409, body: { error: operation.error ?? null } };
  }
}

function requireOperation(world: World, id: string): Operation {
  const operation = world.operations.find(id);
  if (operation) return operation;
  throw new ArmError(404, "OperationNotFound", `The operation '${id}' was not found.`);
}

function apiVersion(request: ArmRequest): string {
  return `api-version=${encodeURIComponent(request.query.get("api-version") ?? "")}`;
}
