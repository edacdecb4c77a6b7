import { withProperties } from "../json.ts";
import { ArmError, operationInProgress } from "./arm-error.ts";
import type { ArmRequest, ArmResponse } from "./exchange.ts";
import { asyncHeaders } from "./operation-routes.ts";
import type { Operation, OperationFailure } from "./operations.ts";
import { removeResource } from "./removal.ts";
import type { ResourceRecord } from "./resource.ts";
import { type Subscription, timestamp } from "./subscription.ts";

/** Of an operation on an entry of a resource: the resource itself stays as it is. */
export const partialKind = "partial";

export function failureOf({ status, code, message, details = [] }: OperationFailure): ArmError {
  return new ArmError(status, code, message, { details });
}

/** Ends what an operation on a resource began. */
export function completeOperation(subscription: Subscription, operation: Operation): ArmError | undefined {
  const record = subscription.resources.find(operation.target);
  if (!record) return new ArmError(404, "ResourceNotFound", `The resource ${operation.target} is gone.`);
  if (subscription.operations.pendingOn(operation.target)?.id !== operation.id) {
    return new ArmError(409, "OperationPreempted", "A later operation took the place of this one.");
  }
  if (operation.failure) {
    if (operation.kind !== partialKind) subscription.resources.put(inState(record, "Failed"));
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

/** The resource as it is when what `action` began is over. */
export function settled(subscription: Subscription, record: ResourceRecord, action: string): ResourceRecord {
  const done = subscription.registry.typeOf(record).settled?.(record, action, subscription) ?? record;
  return { ...inState(done, "Succeeded"), changedAt: timestamp(subscription) };
}

/** Begins an action that changes a resource, and answers where to watch it. */
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

/** The answer to what goes on after it. */
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
