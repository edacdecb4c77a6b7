import { randomUUID } from "node:crypto";
import { type JsonObject, mergePatch } from "@keelson/base";
import { members, nonEmptyStringAt } from "../base/json.ts";
import { operationInProgress } from "./arm-error.ts";
import { groupIdOf } from "./arm-path.ts";
import { checkConditions } from "./conditions.ts";
import { normalizeBody, requireObject } from "./drafts.ts";
import type { ArmRequest, ArmResponse } from "./exchange.ts";
import { checkGlobalName } from "./global-names.ts";
import { checkDroppedElements, checkReferences, checkUnused } from "./integrity.ts";
import { withLocation } from "./locations.ts";
import { asyncHeaders } from "./operation-routes.ts";
import { accepted, inState, settled, withElementsBegun } from "./provisioning.ts";
import { resourceNotFound } from "./refusals.ts";
import { removeResource } from "./removal.ts";
import { etagHeader, renderResource } from "./rendering.ts";
import type { ResourceRecord } from "./resource.ts";
import type { ResourceType } from "./resource-type.ts";
import { type Subscription, timestamp } from "./subscription.ts";
import { draw, type Range } from "./timings.ts";

/** Target of a request. Type and scope exist, but the resource may be missing. */
export interface Target {
  readonly type: ResourceType;
  readonly id: string;
  readonly name: string;
}

export function getResource(subscription: Subscription, target: Target, request: ArmRequest): ArmResponse {
  const record = requireResource(subscription, target);
  return {
    status: 200,
    body: renderResource(record, subscription, request),
    headers: etagHeader(record, subscription),
  };
}

export function putResource(subscription: Subscription, target: Target, request: ArmRequest): ArmResponse {
  const existing = subscription.resources.find(target.id);
  checkConditions(request, existing?.etag);
  const body = normalizeBody(
    target.type,
    existing?.id ?? target.id,
    requireObject(request.body),
    existing?.body,
  );
  return writeResource(subscription, target, existing, body, request);
}

/** Updates a resource. Tags are replaced and all other properties are merged. */
export function patchResource(subscription: Subscription, target: Target, request: ArmRequest): ArmResponse {
  const existing = requireResource(subscription, target);
  checkConditions(request, existing.etag);
  const patch = requireObject(request.body);
  const merged = members(mergePatch(existing.body, { ...patch, ...(patch.tags ? { tags: null } : {}) }));
  const body = { ...merged, ...(patch.tags ? { tags: patch.tags } : {}) };
  return writeResource(
    subscription,
    target,
    existing,
    normalizeBody(target.type, existing.id, body, existing.body),
    request,
    { duration: 0 },
  );
}

export function deleteResource(subscription: Subscription, target: Target, request: ArmRequest): ArmResponse {
  const record = subscription.resources.find(target.id);
  checkConditions(request, record?.etag);
  if (!record) return { status: 204 };
  const pending = subscription.operations.pendingOn(record.id);
  if (pending?.kind === "delete") return accepted(subscription, record, pending, request);
  target.type.checkDelete?.(record, subscription);
  checkUnused(subscription, record);
  const delayMs = draw(target.type.duration?.delete?.(subscription) ?? 0);
  if (delayMs === 0 && !request.outcome) {
    const shown = target.type.showsDeleted ? { body: renderResource(record, subscription, request) } : {};
    removeResource(subscription, record);
    return { status: target.type.statuses?.deleted ?? 200, ...shown };
  }
  subscription.resources.put(inState(record, "Deleting"));
  const operation = subscription.operations.begin("delete", record.id, delayMs, request.outcome);
  return accepted(subscription, record, operation, request);
}

/**
 * Validates, completes and stores a resource. For the write of a single array element, `part` contains the element's ID and the
 * duration of the write. A write without `part` has the duration of the resource type.
 * @throws ArmError
 */
export function writeResource(
  subscription: Subscription,
  target: Target,
  existing: ResourceRecord | undefined,
  body: JsonObject,
  request: ArmRequest,
  part?: { readonly elementId?: string; readonly duration: Range },
): ArmResponse {
  const { type } = target;
  const pending = existing && subscription.operations.pendingOn(existing.id);
  if (pending && pending.kind !== "write" && pending.kind !== "update") throw operationInProgress(target.id);
  const id = existing?.id ?? target.id;
  const name = existing?.name ?? target.name;
  if (!existing) checkGlobalName(subscription, type, id, name);
  const located = withLocation(subscription, target, existing, body);
  const written = {
    callerId: request.principal.objectId,
    apiVersion: request.query.get("api-version") ?? "",
  };
  const prepared = type.prepare({ id, name, body: located, existing, ...written }, subscription);
  const now = timestamp(subscription);
  // If the creation of the resource failed, this write counts as a creation.
  const kind =
    existing && nonEmptyStringAt(existing.body, "properties", "provisioningState") !== "Failed"
      ? "update"
      : "write";
  const duration = kind === "update" ? type.duration?.update : type.duration?.create;
  const delayMs = draw(part?.duration ?? duration?.(subscription) ?? 0);
  const takesTime = delayMs > 0 || request.outcome !== undefined;
  const draft: ResourceRecord = {
    id,
    name,
    type: `${type.namespace}/${type.type}`,
    etag: randomUUID(),
    createdAt: existing?.createdAt ?? now,
    changedAt: now,
    body: prepared.body,
    hidden: prepared.hidden ?? existing?.hidden ?? {},
  };
  const begun = takesTime || pending !== undefined;
  const record = stateAfterWrite(
    subscription,
    type,
    begun ? withElementsBegun(type, draft, existing, part?.elementId) : draft,
    pending?.kind ?? kind,
    begun,
  );
  subscription.resources.put(record);
  subscription.settings.forgetFailure(id);
  if (!existing) type.created?.(record, subscription);
  checkReferences(subscription, type, record, existing);
  if (existing) checkDroppedElements(subscription, type, existing, record);
  const operation =
    pending ?? (takesTime ? subscription.operations.begin(kind, id, delayMs, request.outcome) : undefined);
  return {
    status: statusOfWrite(type, existing !== undefined, operation !== undefined),
    body: renderResource(record, subscription, request),
    headers: {
      ...etagHeader(record, subscription),
      ...(operation ? asyncHeaders(subscription, record, operation, request) : {}),
      ...(type.namesCreated && !existing
        ? { location: nonEmptyStringAt(renderResource(record, subscription, request), "id") ?? id }
        : {}),
    },
  };
}

function statusOfWrite({ statuses }: ResourceType, existed: boolean, takesTime: boolean): number {
  if (existed) return statuses?.replaced ?? 200;
  return (takesTime ? statuses?.creating : undefined) ?? statuses?.created ?? 201;
}

export function requireResource(subscription: Subscription, target: Target): ResourceRecord {
  const record = subscription.resources.find(target.id);
  if (record) return record;
  const group = groupIdOf(target.id)?.split("/").at(-1) ?? "";
  throw resourceNotFound(`${target.type.namespace}/${typeAndName(target)}`, group);
}

/** Returns the type and the name of a resource: `virtualNetworks/vnet`, or `dnsZones/zone/A/name` for a child. */
function typeAndName({ type, id }: Target): string {
  const count = type.type.split("/").length * 2;
  return id.split("/").slice(-count).join("/");
}

function stateAfterWrite(
  subscription: Subscription,
  type: ResourceType,
  draft: ResourceRecord,
  kind: string,
  takesTime: boolean,
): ResourceRecord {
  if (type.provisioningState === false) return draft;
  const isNew = kind === "write";
  if (takesTime) return inState(draft, isNew ? (type.creatingState ?? "Creating") : "Updating");
  return isNew ? settled(subscription, draft, "write") : inState(draft, "Succeeded");
}
