import type { JsonObject } from "@keelson/base";
import { isJsonObject, members, nonEmptyStringAt } from "../base/json.ts";
import { ArmError, badRequest } from "./arm-error.ts";
import { keyOf } from "./arm-path.ts";
import { requireObject } from "./drafts.ts";
import { type ArmRequest, type ArmResponse, ok } from "./exchange.ts";
import { isTagged, knownTerms } from "./filter.ts";
import { normalizeLocation } from "./locations.ts";
import { locationHeader } from "./operation-routes.ts";
import type { Operation } from "./operations.ts";
import { page } from "./paging.ts";
import { failureOf } from "./provisioning.ts";
import { fromGateway } from "./refusals.ts";
import { removeResource } from "./removal.ts";
import type { ResourceRecord } from "./resource.ts";
import { type ResourceGroup, renderGroup } from "./resource-group.ts";
import type { Subscription } from "./subscription.ts";
import { draw } from "./timings.ts";

const groupType = "Microsoft.Resources/subscriptions/resourceGroups";
const namePattern = /^[-\w.()]{0,89}[-\w()]$/;

function findGroup(subscription: Subscription, name: string): ResourceGroup | undefined {
  return subscription.groups.get(keyOf(name));
}

/** Returns a resource group. @throws ArmError 404 */
export function requireGroup(subscription: Subscription, name: string): ResourceGroup {
  const group = findGroup(subscription, name);
  if (group) return group;
  throw new ArmError(404, "ResourceGroupNotFound", `Resource group '${name}' could not be found.`, {
    headers: fromGateway,
  });
}

/** Lists the groups that the caller may read. An optional filter selects by tag: `tagName eq 'a' and tagValue eq 'b'`. */
export function listGroups(subscription: Subscription, request: ArmRequest): ArmResponse {
  const terms = knownTerms(request, ["tagname", "tagvalue"]);
  const isReadable = subscription.access.readableBy(request.principal);
  const groups = [...subscription.groups.values()]
    .filter(({ tags }) => isTagged(tags, terms))
    .filter(({ id }) => isReadable({ id, type: groupType }));
  return page(request, groups, (group) => keyOf(group.id), renderGroup, subscription.pageSize);
}

export function getGroup(subscription: Subscription, name: string): ArmResponse {
  return ok(renderGroup(requireGroup(subscription, name)));
}

export function headGroup(subscription: Subscription, name: string): ArmResponse {
  return { status: findGroup(subscription, name) ? 204 : 404 };
}

export function putGroup(subscription: Subscription, name: string, request: ArmRequest): ArmResponse {
  if (!namePattern.test(name)) {
    throw badRequest("InvalidResourceGroup", `The provided resource group name '${name}' is invalid.`);
  }
  const body = requireObject(request.body);
  const existing = findGroup(subscription, name);
  if (existing?.state === "Deleting") throw beingDeleted(existing);
  const location = locationOf(subscription, body, existing);
  const managedBy = nonEmptyStringAt(body, "managedBy") ?? existing?.managedBy;
  if (existing?.managedBy && keyOf(existing.managedBy) !== keyOf(managedBy ?? "")) {
    throw new ArmError(
      409,
      "ResourceGroupManagedByMismatch",
      "The 'managedBy' of a resource group cannot be changed.",
    );
  }
  const group: ResourceGroup = {
    id: existing?.id ?? `/subscriptions/${subscription.subscriptionId}/resourceGroups/${name}`,
    name: existing?.name ?? name,
    location,
    tags: isJsonObject(body.tags) ? body.tags : undefined,
    managedBy,
    state: "Succeeded",
  };
  subscription.groups.set(keyOf(name), group);
  return { status: existing ? 200 : 201, body: renderGroup(group) };
}

export function patchGroup(subscription: Subscription, name: string, request: ArmRequest): ArmResponse {
  const group = requireGroup(subscription, name);
  if (group.state === "Deleting") throw beingDeleted(group);
  const body = requireObject(request.body);
  const updated: ResourceGroup = {
    ...group,
    tags: isJsonObject(body.tags) ? members(body.tags) : group.tags,
    managedBy: nonEmptyStringAt(body, "managedBy") ?? group.managedBy,
  };
  subscription.groups.set(keyOf(name), updated);
  return ok(renderGroup(updated));
}

/** Deletes a group with all its resources. Fails if a resource outside the group uses one of these resources. */
export function deleteGroup(subscription: Subscription, name: string, request: ArmRequest): ArmResponse {
  const group = requireGroup(subscription, name);
  const pending = subscription.operations.pendingOn(group.id);
  if (pending) return { status: 202, headers: locationHeader(subscription, pending, request) };
  // If the group contains clusters, references from outside the group do not block its deletion, because the clusters are deleted
  // first. The deletion of a cluster also removes the outside resources that refer to resources in the group.
  const hasClusters = (request.foreign ?? []).length > 0;
  const blocked = hasClusters ? undefined : usedFromOutside(subscription, group);
  if (blocked) throw blocked;
  subscription.groups.set(keyOf(name), { ...group, state: "Deleting" });
  const { groupDeleteMs, managedGroupDeleteMs } = subscription.timings;
  const operation = subscription.operations.begin(
    "deleteGroup",
    group.id,
    draw(group.managedBy === undefined ? groupDeleteMs : managedGroupDeleteMs),
    request.outcome,
    request.principal,
  );
  return { status: 202, headers: locationHeader(subscription, operation, request) };
}

export function completeGroupDeletion(
  subscription: Subscription,
  operation: Operation,
): ArmError | undefined {
  const name = operation.target.split("/").at(-1) ?? "";
  const group = findGroup(subscription, name);
  if (!group) return undefined;
  const blocked = operation.failure ? failureOf(operation.failure) : usedFromOutside(subscription, group);
  if (blocked) {
    subscription.groups.set(keyOf(name), { ...group, state: "Succeeded" });
    return blocked;
  }
  for (const record of dependentsFirst(subscription, subscription.resources.inGroup(group.id))) {
    if (subscription.resources.find(record.id)) removeResource(subscription, record);
  }
  for (const provider of subscription.registry.providers) provider.groupRemoved?.(group.id);
  subscription.groups.delete(keyOf(name));
  return undefined;
}

/** Sorts `records` so that each record precedes the records to which it refers. */
function dependentsFirst(
  subscription: Subscription,
  records: readonly ResourceRecord[],
): readonly ResourceRecord[] {
  const ordered = new Set<ResourceRecord>();
  const seen = new Set<ResourceRecord>();
  const add = (record: ResourceRecord): void => {
    if (seen.has(record)) return;
    seen.add(record);
    for (const id of [record.id, ...subscription.resources.elementIds(record)]) {
      for (const { holder } of subscription.resources.referrers(id)) {
        const dependent = subscription.resources.find(holder);
        if (dependent && records.includes(dependent)) add(dependent);
      }
    }
    ordered.add(record);
  };
  for (const each of records) add(each);
  return [...ordered];
}

export function beingDeleted(group: ResourceGroup): ArmError {
  return new ArmError(
    409,
    "ResourceGroupBeingDeleted",
    `The resource group '${group.name}' is in deprovisioning state and cannot perform this operation.`,
  );
}

function locationOf(
  subscription: Subscription,
  body: JsonObject,
  existing: ResourceGroup | undefined,
): string {
  const wanted = nonEmptyStringAt(body, "location");
  if (wanted === undefined) {
    throw badRequest("LocationRequired", "The location property is required for this definition.");
  }
  const location = normalizeLocation(wanted);
  if (!subscription.locations.includes(location)) {
    throw badRequest(
      "LocationNotAvailableForResourceGroup",
      `The provided location '${wanted}' is not available for resource group. List of available regions is '${subscription.locations.join(",")}'.`,
    );
  }
  if (existing && existing.location !== location) {
    throw new ArmError(
      409,
      "InvalidResourceGroupLocation",
      `Invalid resource group location '${location}'. The Resource group already exists in location '${existing.location}'.`,
    );
  }
  return location;
}

function usedFromOutside(subscription: Subscription, group: ResourceGroup): ArmError | undefined {
  const inside = `${keyOf(group.id)}/`;
  const details = subscription.resources.inGroup(group.id).flatMap((record) => {
    const ids = [record.id, ...subscription.resources.elementIds(record)];
    const by = ids
      .flatMap((id) => subscription.resources.referrers(id))
      .filter((each) => !each.soft && !keyOf(each.holder).startsWith(inside));
    const { inUse } = subscription.registry.typeOf(record);
    const error =
      by.length === 0 ? undefined : (inUse?.(record, by) ?? badRequest("InUse", `${record.id} is in use.`));
    return error ? [{ code: error.code, target: record.id, message: error.message }] : [];
  });
  if (details.length === 0) return undefined;
  return new ArmError(
    409,
    "ResourceGroupDeletionBlocked",
    `Deletion of resource group '${group.name}' failed as resources with identifiers '${details.map(({ target }) => target).join(",")}' are used from outside of the group.`,
    { details },
  );
}
