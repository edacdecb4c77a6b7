import { randomUUID } from "node:crypto";
import type { JsonObject } from "@keelson/base";
import { members, mergePatch, objectsAt, textAt, withProperties } from "../json.ts";
import { ArmError, badRequest, operationInProgress } from "./arm-error.ts";
import { groupIdOf, keyOf, sameId } from "./arm-path.ts";
import { checkConditions } from "./conditions.ts";
import { normalizeBody, normalizeElement, requireObject, withElement, withoutElement } from "./drafts.ts";
import type { ArmRequest, ArmResponse } from "./exchange.ts";
import { normalizeLocation } from "./locations.ts";
import { asyncHeaders } from "./operation-routes.ts";
import type { Operation } from "./operations.ts";
import { removeResource } from "./removal.ts";
import { etagHeader, renderElement, renderResource } from "./rendering.ts";
import type { Reference, ResourceRecord } from "./resource.ts";
import { type ElementType, type ResourceType, referencesOf } from "./resource-type.ts";
import { elementsOf } from "./resources.ts";
import { draw } from "./timings.ts";
import { timestamp, type World } from "./world.ts";

/** A resource that a request names: it exists or not, but its type and its scope do. */
export interface Target {
  readonly type: ResourceType;
  readonly id: string;
  readonly name: string;
}

/** An entry of an array of a resource that exists. */
export interface ElementTarget {
  readonly record: ResourceRecord;
  readonly property: string;
  readonly element: ElementType;
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
  return write(world, target, existing, body, request);
}

/** Tags are replaced as a whole, the rest is merged. */
export function patchResource(world: World, target: Target, request: ArmRequest): ArmResponse {
  const existing = requireResource(world, target);
  checkConditions(request, existing.etag);
  const patch = requireObject(request.body);
  const merged = members(mergePatch(existing.body, { ...patch, ...(patch.tags ? { tags: null } : {}) }));
  const body = { ...merged, ...(patch.tags ? { tags: patch.tags } : {}) };
  return write(
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

export function getElement(world: World, target: ElementTarget): ArmResponse {
  const { record, property } = target;
  const element = requireElement(target);
  return {
    status: 200,
    body: renderElement(record, property, element, world),
    headers: etagHeader(record, world),
  };
}

/** Writing an entry is an update of the resource that holds it, under that resource's etag. */
export function putElement(world: World, target: ElementTarget, request: ArmRequest): ArmResponse {
  const { record, property, element, name } = target;
  const present = findElement(target);
  checkConditions(request, present ? record.etag : undefined);
  const type = world.registry.typeOf(record);
  const shownName = textAt(present, "name") ?? name;
  const normal = normalizeElement(type, record.id, property, element, shownName, requireObject(request.body));
  write(
    world,
    { type, id: record.id, name: record.name },
    record,
    withElement(record.body, property, normal),
    request,
  );
  const updated = requireResource(world, { type, id: record.id, name: record.name });
  const answer = getElement(world, { ...target, record: updated });
  return { ...answer, status: present ? 200 : 201 };
}

export function deleteElement(world: World, target: ElementTarget, request: ArmRequest): ArmResponse {
  const { record, property, name } = target;
  const present = findElement(target);
  checkConditions(request, present ? record.etag : undefined);
  if (!present) return { status: 204 };
  const type = world.registry.typeOf(record);
  const body = withoutElement(record.body, property, name);
  write(world, { type, id: record.id, name: record.name }, record, body, request);
  return { status: 200 };
}

export function findElement({ record, property, name }: ElementTarget): JsonObject | undefined {
  return elementsOf(record, property).find(
    (each) => textAt(each, "name")?.toLowerCase() === name.toLowerCase(),
  );
}

/** Ends what an operation on a resource began. */
export function completeOperation(world: World, operation: Operation): ArmError | undefined {
  const record = world.resources.find(operation.target);
  if (!record) return new ArmError(404, "ResourceNotFound", `The resource ${operation.target} is gone.`);
  if (world.operations.pendingOn(operation.target)?.id !== operation.id) {
    return new ArmError(409, "OperationPreempted", "A later operation took the place of this one.");
  }
  if (operation.kind === "delete") {
    removeResource(world, record);
    return undefined;
  }
  world.resources.put(settled(world, record, operation.kind));
  return undefined;
}

function settled(world: World, record: ResourceRecord, action: string): ResourceRecord {
  const done = world.registry.typeOf(record).settled?.(record, action, world) ?? record;
  return { ...inState(done, "Succeeded"), changedAt: timestamp(world) };
}

/** Begins an action that changes a resource, and answers where to watch it. */
export function beginAction(
  world: World,
  record: ResourceRecord,
  action: string,
  delayMs: number,
  request: ArmRequest,
): ArmResponse {
  const pending = world.operations.pendingOn(record.id);
  if (pending) throw operationInProgress(record.id);
  if (delayMs === 0) {
    world.resources.put(settled(world, record, action));
    return { status: 200 };
  }
  world.resources.put(inState(record, "Updating"));
  const operation = world.operations.begin(action, record.id, delayMs);
  return accepted(world, record, operation, request);
}

function write(
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

function accepted(
  world: World,
  record: ResourceRecord,
  operation: Operation,
  request: ArmRequest,
): ArmResponse {
  return { status: 202, headers: asyncHeaders(world, record, operation, request) };
}

function inState(record: ResourceRecord, provisioningState: string): ResourceRecord {
  return { ...record, body: withProperties(record.body, { provisioningState }) };
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

function requireElement(target: ElementTarget): JsonObject {
  const element = findElement(target);
  if (element) return element;
  const { record, property, name } = target;
  throw new ArmError(404, "NotFound", `Resource ${record.id}/${property}/${name} not found.`);
}

function withLocation(
  world: World,
  target: Target,
  existing: ResourceRecord | undefined,
  body: JsonObject,
): JsonObject {
  const kind = target.type.location;
  if (kind === "none") return body;
  const current = textAt(existing?.body, "location");
  const wanted = textAt(body, "location") ?? current;
  if (wanted === undefined) {
    throw badRequest("LocationRequired", "The location property is required for this definition.");
  }
  const location = normalizeLocation(wanted);
  const available = kind === "global" ? ["global"] : world.locations;
  if (!available.includes(location)) {
    throw badRequest(
      "LocationNotAvailableForResourceType",
      `The provided location '${wanted}' is not available for resource type '${target.type.namespace}/${target.type.type}'. List of available regions for the resource type is '${available.join(",")}'.`,
    );
  }
  if (current !== undefined && current !== location) {
    throw new ArmError(
      409,
      "InvalidResourceLocation",
      `The resource '${target.name}' already exists in location '${current}' in resource group '${groupIdOf(target.id)?.split("/").at(-1)}'. A resource with the same name cannot be created in location '${location}'. Please select a new resource name.`,
    );
  }
  return { ...body, location };
}

/** Runs after the write, so that entries may refer to each other; a refusal undoes the write. */
function checkReferences(world: World, type: ResourceType, record: ResourceRecord): void {
  for (const { target, from } of referencesOf(type, record)) {
    if (world.resources.resolve(target)) continue;
    throw badRequest(
      "InvalidResourceReference",
      `Resource ${target} referenced by resource ${from} was not found. Please make sure that the referenced resource exists, and that both resources are in the same region.`,
    );
  }
}

/** Nothing outside of a resource may need it, its entries or its children when it goes. */
function checkUnused(world: World, record: ResourceRecord): void {
  const type = world.registry.typeOf(record);
  const by = referrersBeside(world, record.id, record.id).filter((each) => !each.soft);
  if (by.length > 0 && type.inUse) throw type.inUse(record, by);
  for (const [property, element] of Object.entries(type.elements ?? {})) {
    for (const each of objectsAt(record.body, "properties", property)) {
      const id = textAt(each, "id") ?? "";
      const users = referrersBeside(world, id, record.id).filter((user) => !user.soft);
      if (users.length > 0 && element.inUse) throw element.inUse(id, users);
    }
  }
}

function checkDroppedElements(
  world: World,
  type: ResourceType,
  before: ResourceRecord,
  after: ResourceRecord,
): void {
  for (const [property, element] of Object.entries(type.elements ?? {})) {
    const kept = new Set(
      objectsAt(after.body, "properties", property).map((each) => keyOf(textAt(each, "id") ?? "")),
    );
    for (const each of objectsAt(before.body, "properties", property)) {
      const id = textAt(each, "id") ?? "";
      const users = kept.has(keyOf(id)) ? [] : referrersBeside(world, id, before.id);
      if (users.length > 0 && element.inUse) throw element.inUse(id, users);
    }
  }
}

function referrersBeside(world: World, id: string, holder: string): readonly Reference[] {
  return world.resources.referrers(id).filter((each) => !sameId(each.holder, holder));
}
