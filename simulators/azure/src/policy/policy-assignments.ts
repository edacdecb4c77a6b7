import type { ResourceType } from "../arm/resource-type.ts";
import { scopeOfAssignment, visibleFrom } from "../authorization/role-assignments.ts";
import { at, nonEmptyStringAt, withProperties } from "../base/json.ts";
import { policyDefaults, requireDefinition } from "./policy-definitions.ts";

export const policyAssignmentType = "Microsoft.Authorization/policyAssignments";

/** Policy assignments: a definition or set assigned to a scope. */
export const policyAssignments: ResourceType = {
  ...policyDefaults,
  type: "policyAssignments",
  readOnly: ["scope"],
  showsDeleted: true,
  prepare({ body, id, name }, subscription) {
    requireDefinition(subscription, nonEmptyStringAt(body, "properties", "policyDefinitionId"));
    return {
      body: withProperties(body, {
        displayName: nonEmptyStringAt(body, "properties", "displayName") ?? name,
        enforcementMode: nonEmptyStringAt(body, "properties", "enforcementMode") ?? "Default",
        parameters: at(body, "properties", "parameters") ?? {},
        scope: scopeOfAssignment(id),
      }),
    };
  },
  list: (scope, request, subscription) =>
    subscription.resources
      .ofType(policyAssignmentType)
      .filter((each) => visibleFrom(scope, each, request.query.get("$filter"))),
};
