import type { JsonObject } from "@keelson/base";
import { at, textAt } from "../json.ts";
import { ArmError, badRequest } from "./arm-error.ts";
import { groupIdOf, keyOf } from "./arm-path.ts";
import { type ArmRequest, type ArmResponse, ok } from "./exchange.ts";
import { filterTerms } from "./filter.ts";
import { page } from "./paging.ts";
import { renderResource } from "./rendering.ts";
import type { ResourceRecord } from "./resource.ts";
import type { World } from "./world.ts";

export function listSubscriptions(world: World): ArmResponse {
  return ok({ value: [subscription(world)], count: { type: "Total", value: 1 } });
}

export function getSubscription(world: World): ArmResponse {
  return ok(subscription(world));
}

export function listTenants(world: World): ArmResponse {
  const { tenantId } = world;
  const displayName = "Keelson";
  return ok({
    value: [
      {
        id: `/tenants/${tenantId}`,
        tenantId,
        displayName,
        tenantCategory: "Home",
        domains: ["keelson.local"],
      },
    ],
  });
}

export function listLocations(world: World): ArmResponse {
  const value = world.locations.map((name) => ({
    id: `/subscriptions/${world.subscriptionId}/locations/${name}`,
    name,
    type: "Region",
    displayName: name,
    regionalDisplayName: name,
    metadata: { regionType: "Physical", regionCategory: "Recommended" },
  }));
  return ok({ value });
}

/** `GET .../resources`, of a subscription or of one group: what has a place, not the parts of other resources. */
export function listResources(world: World, groupName: string | undefined, request: ArmRequest): ArmResponse {
  const terms = filterTerms(request.query.get("$filter"));
  for (const name of terms.keys()) {
    if (!["resourcegroup", "resourcetype", "name", "tagname", "tagvalue"].includes(name)) {
      throw badRequest(
        "InvalidFilterInQueryString",
        `Invalid $filter '${request.query.get("$filter")}' specified in the query string.`,
      );
    }
  }
  const group = groupName ?? terms.get("resourcegroup");
  const groupId = `/subscriptions/${world.subscriptionId}/resourceGroups/${group}`;
  const records = group === undefined ? world.resources.all() : world.resources.inGroup(groupId);
  const rows = records.filter(
    (each) => textAt(each.body, "location") !== undefined && satisfies(each, terms),
  );
  const expand = request.query.get("$expand")?.toLowerCase() ?? "";
  return page(
    request,
    rows,
    (each) => keyOf(each.id),
    (each) => summary(world, each, expand),
    world.pageSize,
  );
}

function subscription(world: World): JsonObject {
  const { subscriptionId, tenantId } = world;
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
  };
}

function satisfies(record: ResourceRecord, terms: ReadonlyMap<string, string>): boolean {
  const same = (name: string, value: string | undefined) => {
    const wanted = terms.get(name)?.toLowerCase();
    return wanted === undefined || wanted === value?.toLowerCase();
  };
  const tag = terms.get("tagname");
  if (tag !== undefined && at(record.body, "tags", tag) === undefined) return false;
  return (
    same("resourcegroup", groupIdOf(record.id)?.split("/").at(-1)) &&
    same("resourcetype", record.type) &&
    same("name", record.name) &&
    (tag === undefined || same("tagvalue", textAt(record.body, "tags", tag)))
  );
}

function summary(world: World, record: ResourceRecord, expand: string): JsonObject {
  const shown = renderResource(record, world);
  const members = ["id", "name", "type", "location", "tags", "sku", "kind", "managedBy", "zones", "identity"];
  const provisioningState = textAt(shown, "properties", "provisioningState");
  return {
    ...Object.fromEntries(
      members.filter((name) => shown[name] !== undefined).map((name) => [name, shown[name]]),
    ),
    ...(expand.includes("createdtime") ? { createdTime: record.createdAt } : {}),
    ...(expand.includes("changedtime") ? { changedTime: record.changedAt } : {}),
    ...(expand.includes("provisioningstate") && provisioningState ? { provisioningState } : {}),
  };
}

/** @throws ArmError 404 for any subscription but ours */
export function requireSubscription(world: World, subscriptionId: string): void {
  if (subscriptionId.toLowerCase() === world.subscriptionId.toLowerCase()) return;
  throw new ArmError(404, "SubscriptionNotFound", `The subscription '${subscriptionId}' could not be found.`);
}
