import type { JsonObject } from "@keelson/base";
import { nonEmptyStringAt } from "../base/json.ts";
import { ArmError, operationInProgress } from "./arm-error.ts";
import { checkConditions } from "./conditions.ts";
import { normalizeElement, requireObject, withElement, withoutElement } from "./drafts.ts";
import type { ArmRequest, ArmResponse } from "./exchange.ts";
import { accepted, partialKind } from "./provisioning.ts";
import { elementEtagHeader, renderElement } from "./rendering.ts";
import type { ResourceRecord } from "./resource.ts";
import { requireResource, writeResource } from "./resource-service.ts";
import type { ElementType } from "./resource-type.ts";
import { elementsOf } from "./resources.ts";
import type { Subscription } from "./subscription.ts";

/** Array element, such as a subnet, of an existing resource. */
export interface ElementTarget {
  readonly record: ResourceRecord;
  readonly property: string;
  readonly element: ElementType;
  readonly name: string;
}

export function getElement(subscription: Subscription, target: ElementTarget): ArmResponse {
  const { record, property } = target;
  const element = requireElement(target);
  return {
    status: 200,
    body: renderElement(record, property, element, subscription),
    headers: elementEtagHeader(record, subscription),
  };
}

/**
 * Writes an array element by updating the resource that contains the element. `If-Match` and `If-None-Match` are compared with
 * the etag of this resource.
 */
export function putElement(
  subscription: Subscription,
  target: ElementTarget,
  request: ArmRequest,
): ArmResponse {
  const { record, property, element, name } = target;
  const present = findElement(target);
  checkConditions(request, present ? record.etag : undefined);
  const type = subscription.registry.typeOf(record);
  const shownName = nonEmptyStringAt(present, "name") ?? name;
  const normal = normalizeElement(type, record.id, property, element, shownName, requireObject(request.body));
  const { failure } = request.outcome ?? {};
  if (failure) return failing(subscription, record, request);
  const written = writeResource(
    subscription,
    { type, id: record.id, name: record.name },
    record,
    withElement(record.body, property, normal),
    request,
    { elementId: nonEmptyStringAt(normal, "id") ?? "", duration: element.duration?.(subscription) ?? 0 },
  );
  const updated = requireResource(subscription, { type, id: record.id, name: record.name });
  const response = getElement(subscription, { ...target, record: updated });
  return {
    ...response,
    headers: { ...written.headers, ...response.headers },
    status: present ? 200 : 201,
  };
}

export function deleteElement(
  subscription: Subscription,
  target: ElementTarget,
  request: ArmRequest,
): ArmResponse {
  const { record, property, name } = target;
  const present = findElement(target);
  checkConditions(request, present ? record.etag : undefined);
  if (!present) return { status: 204 };
  const type = subscription.registry.typeOf(record);
  if (request.outcome?.failure) return failing(subscription, record, request);
  const body = withoutElement(record.body, property, name);
  const written = writeResource(
    subscription,
    { type, id: record.id, name: record.name },
    record,
    body,
    request,
    { duration: 0 },
  );
  const { headers = {} } = written;
  return headers["azure-asyncoperation"] ? { status: 202, headers } : { status: 200 };
}

/**
 * Starts the operation for the write of an array element. The operation fails because of an injected fault, and the resource
 * stays unchanged.
 */
function failing(subscription: Subscription, record: ResourceRecord, request: ArmRequest): ArmResponse {
  if (subscription.operations.pendingOn(record.id)) throw operationInProgress(record.id);
  const operation = subscription.operations.begin(partialKind, record.id, 0, request.outcome);
  return accepted(subscription, record, operation, request);
}

function findElement({ record, property, name }: ElementTarget): JsonObject | undefined {
  return elementsOf(record, property).find(
    (each) => nonEmptyStringAt(each, "name")?.toLowerCase() === name.toLowerCase(),
  );
}

/** Returns the array element. @throws ArmError 404 */
export function requireElement(target: ElementTarget): JsonObject {
  const element = findElement(target);
  if (element) return element;
  const { record, property, name } = target;
  throw new ArmError(404, "NotFound", `Resource ${record.id}/${property}/${name} not found.`);
}
