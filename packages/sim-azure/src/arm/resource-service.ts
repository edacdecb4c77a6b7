import { randomUUID } from "node:crypto";
import type { JsonObject } from "@keelson/base";
import { members, mergePatch } from "../json.ts";
import { ArmError, operationInProgress } from "./arm-error.ts";
import { groupIdOf } from "./arm-path.ts";
import { checkConditions } from "./conditions.ts";
import { normalizeBody, requireObject } from "./drafts.ts";
import type { ArmRequest, ArmResponse } from "./exchange.ts";
import { checkDroppedElements, checkReferences, checkUnused } from "./integrity.ts";
import { withLocation } from "./locations.ts";
import { asyncHeaders } from "./operation-routes.ts";
import { accepted, inState, settled } from "./provisioning.ts";
import { removeResource } from "./removal.ts";
import { etagHeader, renderResource } from "./rendering.ts";
import type { ResourceRecord } from "./resource.ts";
import type { ResourceType } from "./resource-type.ts";
import { draw } from "./timings.ts";
import { timestamp, type World } from "./world.ts";

/** A resource that a request names: it exists or not, but its type and its scope do. */
export interface Target {
  readonly type: ResourceType;
  readonly id: string;
  readonly name: string;
}

export function getResource(world: World, target: Target, request: ArmRequest): ArmResponse {
  const record = requireResource(world, target);
  return { status: 200, body: renderResource(record, world, request), headers: etagHeader(record, world) };
}

export function putResource(world: World, target: Target, request: ArmRequest): ArmResponse {
  const existing = world.resources.find(target.id);
  checkConditions(request, existing?.etag);
  const body = normalizeBody(
    target.type,
    existing?.id ?? target.id,
    requireObject(request.body),
    existing?.body,
  );
  return writeResource(world, target, existing, body, request);
}

/** Tags are replaced as a whole, the rest is merged. */
export function patchResource(world: World, target: Target, request: ArmRequest): ArmResponse {
  const existing = requireResource(world, target);
  checkConditions(request, existing.etag);
  const patch = requireObject(request.body);
  const merged = members(mergePatch(existing.body, { ...patch, ...(patch.tags ? { tags: null } : {}) }));
  const body = { ...merged, ...(patch.tags ? { tags: patch.tags } : {}) };
  return writeResource(
    world,
    target,
    existing,
    normalizeBody(target.type, existing.id, body, existing.body),
    request,
  );
}

export function deleteResource(world: World, target: Target, request: ArmRequest): ArmResponse {
  const record = world.resources.find(target.id);
  checkConditions(request, record?.etag);
  if (!record) return { status: 204 };
  const pending = world.operations.pendingOn(record.id);
  if (pending?.kind === "delete") return accepted(world, record, pending, request);
  target.type.checkDelete?.(record, world);
  checkUnused(world, record);
  const delayMs = draw(target.type.duration?.delete?.(world) ?? 0);
  if (delayMs === 0) {
    removeResource(world, record);
    return { status: 200 };
  }
  world.resources.put(inState(record, "Deleting"));
  return accepted(world, record, world.operations.begin("delete", record.id, delayMs), request);
}

/** Checks, completes and stores what a resource is to be. @throws ArmError */
export function writeResource(
  world: World,
  target: Target,
  existing: ResourceRecord | undefined,
  body: JsonObject,
  request: ArmRequest,
): ArmResponse {
  const { type } = target;
  const pending = existing && world.operations.pendingOn(existing.id);
  if (pending && pending.kind !== "write") throw operationInProgress(target.id);
  const id = existing?.id ?? target.id;
  const name = existing?.name ?? target.name;
  const located = withLocation(world, target, existing, body);
  const prepared = type.prepare({ id, name, body: located, existing }, world);
  const now = timestamp(world);
  const delayMs = existing ? 0 : draw(type.duration?.create?.(world) ?? 0);
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
  const record = stateAfterWrite(
    world,
    type,
    draft,
    existing === undefined,
    delayMs > 0 || pending !== undefined,
  );
  world.resources.put(record);
  if (!existing) type.created?.(record, world);
  checkReferences(world, type, record);
  if (existing) checkDroppedElements(world, type, existing, record);
  const operation = pending ?? (delayMs > 0 ? world.operations.begin("write", id, delayMs) : undefined);
  return {
    status: existing ? 200 : 201,
    body: renderResource(record, world, request),
    headers: {
      ...etagHeader(record, world),
      ...(operation ? asyncHeaders(world, record, operation, request) : {}),
    },
  };
}

export function requireResource(world: World, target: Target): ResourceRecord {
  const record = world.resources.find(target.id);
  if (record) return record;
  const group = groupIdOf(target.id)?.split("/").at(-1) ?? "";
  throw new ArmError(
    404,
    "ResourceNotFound",
    `The Resource '${target.type.namespace}/${typeAndName(target)}' under resource group '${group}' was not found. For more details please go to https://aka.ms/ARMResourceNotFoundFix`,
  );
}

/** `virtualNetworks/vnet`, or `dnsZones/zone/A/name` for a child. */
function typeAndName({ type, id }: Target): string {
  const count = type.type.split("/").length * 2;
  return id.split("/").slice(-count).join("/");
}

function stateAfterWrite(
  world: World,
  type: ResourceType,
  draft: ResourceRecord,
  isNew: boolean,
  takesTime: boolean,
): ResourceRecord {
  if (type.provisioningState === false) return draft;
  if (takesTime) return inState(draft, "Creating");
  return isNew ? settled(world, draft, "write") : inState(draft, "Succeeded");
}
