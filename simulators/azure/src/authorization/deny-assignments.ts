import { badRequest } from "../arm/arm-error.ts";
import { filterTerms } from "../arm/filter.ts";
import type { ResourceType } from "../arm/resource-type.ts";
import { timestamp } from "../arm/subscription.ts";
import { guid } from "../base/guid.ts";
import { at, nonEmptyStringAt, objectsAt, withProperties } from "../base/json.ts";
import { scopeOfAssignment, visibleFrom } from "./role-assignments.ts";

export const denyAssignmentType = "Microsoft.Authorization/denyAssignments";

/** Deny assignments: actions denied to principals regardless of their roles. Only Azure services can write them. */
export const denyAssignments: ResourceType = {
  namespace: "Microsoft.Authorization",
  type: "denyAssignments",
  scope: "any",
  location: "none",
  provisioningState: false,
  names: guid,
  readOnly: ["scope", "createdOn", "updatedOn", "createdBy", "updatedBy"],
  prepare({ body, id, existing }, subscription) {
    const permissions = objectsAt(body, "properties", "permissions");
    if (!nonEmptyStringAt(body, "properties", "denyAssignmentName")) {
      throw badRequest("InvalidDenyAssignment", "The deny assignment needs 'properties.denyAssignmentName'.");
    }
    if (permissions.length === 0 || objectsAt(body, "properties", "principals").length === 0) {
      throw badRequest("InvalidDenyAssignment", "The deny assignment needs 'permissions' and 'principals'.");
    }
    const now = timestamp(subscription);
    return {
      body: withProperties(body, {
        permissions: permissions.map((each) => ({
          actions: [],
          notActions: [],
          dataActions: [],
          notDataActions: [],
          ...each,
        })),
        excludePrincipals: objectsAt(body, "properties", "excludePrincipals"),
        doesNotApplyToChildScopes: at(body, "properties", "doesNotApplyToChildScopes") === true,
        isSystemProtected: at(body, "properties", "isSystemProtected") === true,
        scope: scopeOfAssignment(id),
        createdOn: existing?.createdAt ?? now,
        updatedOn: now,
      }),
    };
  },
  list(scope, request, subscription) {
    const filter = request.query.get("$filter");
    const name = filterTerms(filter).get("denyassignmentname")?.toLowerCase();
    return subscription.resources
      .ofType(denyAssignmentType)
      .filter((each) => visibleFrom(scope, each, filter))
      .filter(
        ({ body }) =>
          name === undefined ||
          nonEmptyStringAt(body, "properties", "denyAssignmentName")?.toLowerCase() === name,
      );
  },
};
