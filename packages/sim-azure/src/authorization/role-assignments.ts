import { ArmError, badRequest } from "../arm/arm-error.ts";
import { keyOf } from "../arm/arm-path.ts";
import { filterTerms, hasFilterCall } from "../arm/filter.ts";
import type { ResourceRecord } from "../arm/resource.ts";
import type { Draft, ResourceType } from "../arm/resource-type.ts";
import { timestamp, type World } from "../arm/world.ts";
import { textAt, withProperties } from "../json.ts";
import { guid } from "./guid.ts";

const type = "Microsoft.Authorization/roleAssignments";

export const roleAssignments: ResourceType = {
  namespace: "Microsoft.Authorization",
  type: "roleAssignments",
  scope: "any",
  location: "none",
  etag: "none",
  provisioningState: false,
  names: guid,
  readOnly: ["scope", "createdOn", "updatedOn", "createdBy", "updatedBy"],
  prepare(draft, world) {
    const principalId = textAt(draft.body, "properties", "principalId") ?? "";
    if (!guid.test(principalId)) {
      throw badRequest(
        "InvalidPrincipalId",
        `The Principal ID '${principalId}' is not valid. Principal ID must be a GUID.`,
      );
    }
    const roleDefinitionId = roleDefinitionIdOf(draft, world);
    const scope = scopeOf(draft.id);
    checkUnique(draft, { principalId, roleDefinitionId, scope }, world);
    const now = timestamp(world);
    return {
      body: withProperties(draft.body, {
        principalId,
        principalType: textAt(draft.body, "properties", "principalType") ?? "ServicePrincipal",
        roleDefinitionId,
        scope,
        createdOn: draft.existing?.createdAt ?? now,
        updatedOn: now,
      }),
    };
  },
  /** Assignments at the scope and above it; also those below unless the client asks for `atScope()`. */
  list(scope, request, world) {
    const filter = request.query.get("$filter");
    const terms = filterTerms(filter);
    const principal = terms.get("principalid") ?? terms.get("assignedto");
    const here = `${keyOf(scope)}/`;
    return world.resources.ofType(type).filter((each) => {
      const at = `${keyOf(scopeOf(each.id))}/`;
      const visible = here.startsWith(at) || (!hasFilterCall(filter, "atScope") && at.startsWith(here));
      return (
        visible && (principal === undefined || textAt(each.body, "properties", "principalId") === principal)
      );
    });
  },
};

function scopeOf(id: string): string {
  return id.slice(0, keyOf(id).lastIndexOf("/providers/microsoft.authorization/"));
}

/** Clients write the segment in the singular too, and at any scope; one form is kept. */
function roleDefinitionIdOf(draft: Draft, world: World): string {
  const text = textAt(draft.body, "properties", "roleDefinitionId") ?? "";
  const name = /\/roleDefinitions?\/([^/]+)$/i.exec(text)?.[1];
  const id = `/subscriptions/${world.subscriptionId}/providers/Microsoft.Authorization/roleDefinitions/${name}`;
  const definition = name === undefined ? undefined : world.resources.find(id);
  if (definition) return definition.id;
  throw badRequest(
    "RoleDefinitionDoesNotExist",
    `The specified role definition with ID '${name ?? text}' does not exist.`,
  );
}

function checkUnique(
  draft: Draft,
  wanted: { readonly principalId: string; readonly roleDefinitionId: string; readonly scope: string },
  world: World,
): void {
  const sameRole = (each: ResourceRecord) =>
    textAt(each.body, "properties", "principalId")?.toLowerCase() === wanted.principalId.toLowerCase() &&
    textAt(each.body, "properties", "roleDefinitionId") === wanted.roleDefinitionId;
  if (draft.existing && !sameRole(draft.existing)) {
    throw badRequest(
      "RoleAssignmentUpdateNotPermitted",
      "Tenant ID, application ID, principal ID, and scope are not allowed to be updated.",
    );
  }
  const twin = world.resources
    .inCollection(`${wanted.scope}/providers/${type}`)
    .find((each) => sameRole(each) && keyOf(each.id) !== keyOf(draft.id));
  if (twin) {
    throw new ArmError(
      409,
      "RoleAssignmentExists",
      `The role assignment already exists. The ID of the existing role assignment is ${twin.name.replaceAll("-", "")}.`,
    );
  }
}
