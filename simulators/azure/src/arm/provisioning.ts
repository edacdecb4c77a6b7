import type { JsonObject } from "@keelson/base";
import { members, nonEmptyStringAt, objectsAt, withProperties } from "../base/json.ts";
import { ArmError, operationInProgress } from "./arm-error.ts";
import { keyOf } from "./arm-path.ts";
import type { ArmRequest, ArmResponse } from "./exchange.ts";
import { asyncHeaders } from "./operation-routes.ts";
import type { Operation, OperationFailure } from "./operations.ts";
import { removeResource } from "./removal.ts";
import type { ResourceRecord } from "./resource.ts";
import type { ResourceType } from "./resource-type.ts";
import { type Subscription, timestamp } from "./subscription.ts";

/** Kind of an operation that writes an array element without changing the resource that contains the element. */
export const partialKind = "partial";

export function failureOf({ status, code, message, details = [] }: OperationFailure): ArmError {
  return new ArmError(status, code, message, { details });
}

/** Applies the effect of a completed operation to the operation's target resource. */
export function completeOperation(subscription: Subscription, operation: Operation): ArmError | undefined {
  const record = subscription.resources.find(operation.target);
  if (!record) return new ArmError(404, "ResourceNotFound", `The resource ${operation.target} is gone.`);
  if (subscription.operations.pendingOn(operation.target)?.id !== operation.id) {
    return new ArmError(409, "OperationPreempted", "A later operation took the place of this one.");
  }
  if (operation.failure) {
    if (operation.kind !== partialKind) {
      subscription.resources.put(inState(withElementsEnded(subscription, record, "Failed"), "Failed"));
    }
    return failureOf(operation.failure);
  }
  if (operation.kind === partialKind) return undefined;
  if (operation.kind === "delete") {
    removeResource(subscription, record);
    return undefined;
  }
  subscription.resources.put(settled(subscription, record, operation.kind));
  return undefined;
}

/** Returns the resource after `action` has completed. */
export function settled(subscription: Subscription, record: ResourceRecord, action: string): ResourceRecord {
  const done = subscription.registry.typeOf(record).settled?.(record, action, subscription) ?? record;
  const ended = withElementsEnded(subscription, done, "Succeeded");
  return { ...inState(ended, "Succeeded"), changedAt: timestamp(subscription) };
}

/**
 * Sets the provisioning state of the array elements that a write affects. These are added elements, and the element to whose ID
 * the client writes.
 */
export function withElementsBegun(
  type: ResourceType,
  record: ResourceRecord,
  existing: ResourceRecord | undefined,
  writtenId: string | undefined,
): ResourceRecord {
  const before = new Set(
    Object.keys(type.elements ?? {}).flatMap((property) =>
      objectsAt(existing?.body, "properties", property).map((each) =>
        keyOf(nonEmptyStringAt(each, "id") ?? ""),
      ),
    ),
  );
  const isWritten = (id: string) => !before.has(id) || id === keyOf(writtenId ?? "");
  return mapElements(type, record, (each) =>
    isWritten(keyOf(nonEmptyStringAt(each, "id") ?? ""))
      ? withProperties(each, { provisioningState: elementBegun })
      : each,
  );
}

/** Provisioning state of an array element during its write. */
const elementBegun = "Updating";

function withElementsEnded(
  subscription: Subscription,
  record: ResourceRecord,
  provisioningState: string,
): ResourceRecord {
  return mapElements(subscription.registry.typeOf(record), record, (each) =>
    nonEmptyStringAt(each, "properties", "provisioningState") === elementBegun
      ? withProperties(each, { provisioningState })
      : each,
  );
}

function mapElements(
  type: ResourceType,
  record: ResourceRecord,
  change: (element: JsonObject) => JsonObject,
): ResourceRecord {
  const properties = members(record.body.properties);
  const changed = Object.keys(type.elements ?? {}).flatMap((property) =>
    Array.isArray(properties[property])
      ? [[property, objectsAt(record.body, "properties", property).map(change)]]
      : [],
  );
  return changed.length === 0
    ? record
    : { ...record, body: withProperties(record.body, Object.fromEntries(changed)) };
}

/** Starts an action that changes a resource, and returns the headers for polling. */
export function beginAction(
  subscription: Subscription,
  record: ResourceRecord,
  action: string,
  delayMs: number,
  request: ArmRequest,
): ArmResponse {
  const pending = subscription.operations.pendingOn(record.id);
  if (pending) throw operationInProgress(record.id);
  if (delayMs === 0 && !request.outcome) {
    subscription.resources.put(settled(subscription, record, action));
    return { status: 200 };
  }
  subscription.resources.put(inState(record, "Updating"));
  const operation = subscription.operations.begin(action, record.id, delayMs, request.outcome);
  return accepted(subscription, record, operation, request);
}

/** Returns the response to a request that starts an asynchronous operation. */
export function accepted(
  subscription: Subscription,
  record: ResourceRecord,
  operation: Operation,
  request: ArmRequest,
): ArmResponse {
  return { status: 202, headers: asyncHeaders(subscription, record, operation, request) };
}

export function inState(record: ResourceRecord, provisioningState: string): ResourceRecord {
  return { ...record, body: withProperties(record.body, { provisioningState }) };
}
