import type { JsonObject } from "@keelson/base";
import { nonEmptyStringAt } from "../base/json.ts";
import { ArmError } from "./arm-error.ts";
import { groupIdOf, keyOf, sameId } from "./arm-path.ts";
import { type ArmRequest, type ArmResponse, ok } from "./exchange.ts";
import { isTagged, knownTerms } from "./filter.ts";
import { displayNameOf } from "./locations.ts";
import { page } from "./paging.ts";
import { renderResource } from "./rendering.ts";
import type { ResourceRecord } from "./resource.ts";
import { subscriptionTags } from "./scope-tags.ts";
import type { Subscription } from "./subscription.ts";

/** Lists the subscriptions in which the caller has a role. */
export function listSubscriptions(subscription: Subscription, { principal }: ArmRequest): ArmResponse {
  const isSeen = subscription.access.hasRoleWithin(
    principal,
    `/subscriptions/${subscription.subscriptionId}`,
  );
  const value = isSeen ? [renderSubscription(subscription)] : [];
  return ok({ value, count: { type: "Total", value: value.length } });
}

export function getSubscription(subscription: Subscription): ArmResponse {
  return ok(renderSubscription(subscription));
}

export function listTenants(subscription: Subscription): ArmResponse {
  const { tenantDomain, tenantId } = subscription;
  const displayName = "Keelson";
  return ok({
    value: [
      {
        id: `/tenants/${tenantId}`,
        tenantId,
        displayName,
        tenantCategory: "Home",
        domains: [tenantDomain],
      },
    ],
  });
}

export function listLocations(subscription: Subscription): ArmResponse {
  const value = subscription.locations.map((name) => ({
    id: `/subscriptions/${subscription.subscriptionId}/locations/${name}`,
    name,
    type: "Region",
    displayName: displayNameOf(name),
    regionalDisplayName: displayNameOf(name),
    metadata: { regionType: "Physical", regionCategory: "Recommended" },
  }));
  return ok({ value });
}

/**
 * Handles `GET .../resources` of a subscription or a group. Lists the resources that have a location. Child resources are not
 * listed.
 */
export function listResources(
  subscription: Subscription,
  groupName: string | undefined,
  request: ArmRequest,
): ArmResponse {
  const terms = knownTerms(request, ["resourcegroup", "resourcetype", "name", "tagname", "tagvalue"]);
  const group = groupName ?? terms.get("resourcegroup");
  const groupId = `/subscriptions/${subscription.subscriptionId}/resourceGroups/${group}`;
  const records =
    group === undefined ? subscription.resources.all() : subscription.resources.inGroup(groupId);
  const isReadable = subscription.access.readableBy(request.principal);
  const expand = request.query.get("$expand")?.toLowerCase() ?? "";
  const own = records
    .filter(
      (each) =>
        nonEmptyStringAt(each.body, "location") !== undefined && satisfies(each, terms) && isReadable(each),
    )
    .map((each) => ({ id: each.id, show: () => summary(subscription, each, expand) }));
  const foreign = (request.foreign ?? [])
    .map(foreignRecord)
    .filter((each) => group === undefined || sameId(groupIdOf(each.id) ?? "", groupId))
    .filter((each) => satisfies(each, terms) && isReadable(each))
    .map((each) => ({ id: each.id, show: () => shownMembers(each.body) }));
  return page(
    request,
    [...own, ...foreign],
    (each) => keyOf(each.id),
    (each) => each.show(),
    subscription.pageSize,
  );
}

function foreignRecord(body: JsonObject): Listed {
  const text = (name: string) => nonEmptyStringAt(body, name) ?? "";
  return { id: text("id"), name: text("name"), type: text("type"), body };
}

type Listed = Pick<ResourceRecord, "id" | "name" | "type" | "body">;

function shownMembers(body: JsonObject): JsonObject {
  const members = ["id", "name", "type", "location", "tags", "sku", "kind", "managedBy", "zones", "identity"];
  return Object.fromEntries(
    members.flatMap((name) => (body[name] === undefined ? [] : [[name, body[name]]])),
  );
}

function renderSubscription(subscription: Subscription): JsonObject {
  const { subscriptionId, tenantId } = subscription;
  const tags = subscriptionTags(subscription);
  return {
    id: `/subscriptions/${subscriptionId}`,
    subscriptionId,
    tenantId,
    displayName: "Keelson",
    state: "Enabled",
    subscriptionPolicies: {
      locationPlacementId: "Public_2014-09-01",
      quotaId: "Internal_2014-09-01",
      spendingLimit: "Off",
    },
    authorizationSource: "RoleBased",
    managedByTenants: [],
    ...(tags ? { tags } : {}),
  };
}

function satisfies(record: Listed, terms: ReadonlyMap<string, string>): boolean {
  const same = (name: string, value: string | undefined) => {
    const wanted = terms.get(name)?.toLowerCase();
    return wanted === undefined || wanted === value?.toLowerCase();
  };
  return (
    same("resourcegroup", groupIdOf(record.id)?.split("/").at(-1)) &&
    same("resourcetype", record.type) &&
    same("name", record.name) &&
    isTagged(record.body.tags, terms)
  );
}

function summary(subscription: Subscription, record: ResourceRecord, expand: string): JsonObject {
  const shown = renderResource(record, subscription);
  const provisioningState = nonEmptyStringAt(shown, "properties", "provisioningState");
  return {
    ...shownMembers(shown),
    ...(expand.includes("createdtime") ? { createdTime: record.createdAt } : {}),
    ...(expand.includes("changedtime") ? { changedTime: record.changedAt } : {}),
    ...(expand.includes("provisioningstate") && provisioningState ? { provisioningState } : {}),
  };
}

/** Checks that an ID is the ID of the simulated subscription. @throws ArmError 404 if it is not */
export function requireSubscription(subscription: Subscription, subscriptionId: string): void {
  if (subscriptionId.toLowerCase() === subscription.subscriptionId.toLowerCase()) return;
  throw new ArmError(404, "SubscriptionNotFound", `The subscription '${subscriptionId}' could not be found.`);
}
