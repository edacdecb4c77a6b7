import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { JsonObject } from "@keelson/base";
import { type ArmError, badRequest } from "../arm/arm-error.ts";
import { sameId } from "../arm/arm-path.ts";
import { filterTerms } from "../arm/filter.ts";
import type { ResourceRecord } from "../arm/resource.ts";
import type { ResourceType } from "../arm/resource-type.ts";
import { type Subscription, timestamp } from "../arm/subscription.ts";
import { guid } from "../base/guid.ts";
import { at, nonEmptyStringAt, objectsAt, withProperties } from "../base/json.ts";
import { builtInRoles } from "./built-in-roles.ts";
import { authorizationOrder, shownStamps, stamps, stampsOf } from "./stamps.ts";

const type = "Microsoft.Authorization/roleDefinitions";

export const roleDefinitions: ResourceType = {
  namespace: "Microsoft.Authorization",
  type: "roleDefinitions",
  statuses: { replaced: 201 },
  scope: "any",
  location: "none",
  provisioningState: false,
  showsDeleted: true,
  names: guid,
  readOnly: stamps,
  order: {
    top: authorizationOrder,
    properties: ["roleName", "type", "description", "assignableScopes", "permissions", ...stamps],
  },
  checkDelete(record, subscription) {
    if (isBuiltIn(record)) throw builtInError(record.id);
    const used = subscription.resources
      .ofType("Microsoft.Authorization/roleAssignments")
      .some((each) => sameId(nonEmptyStringAt(each.body, "properties", "roleDefinitionId") ?? "", record.id));
    if (!used) return;
    throw badRequest(
      "RoleDefinitionHasAssignments",
      `There are existing role assignments referencing role (code: ${record.name}).`,
    );
  },
  home: (subscription) => `/subscriptions/${subscription.subscriptionId}`,
  prepare(draft, subscription) {
    const { body, id, existing } = draft;
    if (existing && isBuiltIn(existing)) throw builtInError(id);
    if (!nonEmptyStringAt(body, "properties", "roleName")) {
      throw badRequest("RoleDefinitionNameNullOrEmpty", "The role definition needs 'properties.roleName'.");
    }
    return {
      body: withProperties(body, {
        type: "CustomRole",
        permissions: objectsAt(body, "properties", "permissions"),
        ...stampsOf(draft, timestamp(subscription)),
      }),
    };
  },
  /** Renders a role definition. In a response to a request at tenant scope, the ID also has tenant scope. */
  render(record, _subscription, request) {
    const { body, createdAt, changedAt } = record;
    const isOfTenant = request?.segments[0]?.toLowerCase() === "providers";
    const builtIn = { createdOn: createdAt, updatedOn: changedAt, createdBy: null, updatedBy: null };
    const stamped = isBuiltIn(record) ? withProperties(body, builtIn) : body;
    return {
      ...withProperties(stamped, shownStamps(stamped)),
      ...(isOfTenant ? { id: `/providers/${type}/${record.name}` } : {}),
    };
  },
  list(_scope, request, subscription) {
    const wanted = filterTerms(request.query.get("$filter"));
    const name = wanted.get("rolename");
    const kind = wanted.get("type");
    return subscription.resources
      .ofType(type)
      .filter(
        (each) =>
          name === undefined ||
          nonEmptyStringAt(each.body, "properties", "roleName")?.toLowerCase() === name.toLowerCase(),
      )
      .filter(
        (each) =>
          kind === undefined ||
          nonEmptyStringAt(each.body, "properties", "type")?.toLowerCase() === kind.toLowerCase(),
      );
  },
};

function isBuiltIn(record: ResourceRecord): boolean {
  return at(record.body, "properties", "type") === "BuiltInRole";
}

function builtInError(id: string): ArmError {
  return badRequest("RoleDefinitionIsBuiltIn", `The built-in role definition ${id} cannot be changed.`);
}

/** Stores the built-in roles of this simulator version. */
export function seedBuiltInRoles(subscription: Subscription): void {
  for (const role of builtInRoles) {
    const id = `/subscriptions/${subscription.subscriptionId}/providers/${type}/${role.id}`;
    const wanted = builtInRole(id, role, timestamp(subscription));
    if (!isDeepStrictEqual(subscription.resources.find(id)?.body, wanted.body))
      subscription.resources.put(wanted);
  }
}

function builtInRole(id: string, role: (typeof builtInRoles)[number], now: string): ResourceRecord {
  const permission: JsonObject = {
    actions: role.actions,
    notActions: role.notActions ?? [],
    dataActions: role.dataActions ?? [],
    notDataActions: [],
  };
  const body = {
    properties: {
      roleName: role.name,
      type: "BuiltInRole",
      description: role.description,
      assignableScopes: ["/"],
      permissions: [permission],
    },
  };
  return { id, name: role.id, type, etag: randomUUID(), createdAt: now, changedAt: now, body, hidden: {} };
}
