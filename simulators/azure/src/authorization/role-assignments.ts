import { randomUUID } from "node:crypto";
import { ArmError, badRequest } from "../arm/arm-error.ts";
import { keyOf } from "../arm/arm-path.ts";
import { filterTerms, hasFilterCall } from "../arm/filter.ts";
import type { ResourceRecord } from "../arm/resource.ts";
import type { Draft, ResourceType } from "../arm/resource-type.ts";
import { type Subscription, timestamp } from "../arm/subscription.ts";
import { guid } from "../base/guid.ts";
import { members, nonEmptyStringAt, withProperties } from "../base/json.ts";
import { guidOf } from "../entra/credentials.ts";
import { Directory } from "../entra/directory.ts";
import { isReplicated } from "../entra/replication.ts";
import { authorizationOrder, shownStamps, stamps, stampsOf } from "./stamps.ts";

const type = "Microsoft.Authorization/roleAssignments";

export const roleAssignments: ResourceType = {
  namespace: "Microsoft.Authorization",
  type: "roleAssignments",
  statuses: { replaced: 201 },
  scope: "any",
  location: "none",
  provisioningState: false,
  showsDeleted: true,
  names: guid,
  lookup: "principalId",
  readOnly: ["scope", ...stamps],
  order: {
    top: authorizationOrder,
    properties: [
      ...["roleDefinitionId", "principalId", "principalType", "scope", "condition", "conditionVersion"],
      ...[...stamps, "delegatedManagedIdentityResourceId", "description"],
    ],
  },
  latency(request, { timings, store, resources, clock }) {
    const principalId = nonEmptyStringAt(request.body, "properties", "principalId") ?? "";
    const principal = new Directory(store).findPrincipal(principalId)?.entry;
    if (!principal) return undefined;
    const identityId = "identityId" in principal ? principal.identityId : undefined;
    const createdAt = principal.createdAt ?? resources.find(identityId ?? "")?.createdAt;
    const ageMs = clock.now().getTime() - Date.parse(createdAt ?? "");
    return ageMs < timings.latencies.freshMs ? timings.latencies.freshAssignmentMs : undefined;
  },
  prepare(draft, subscription) {
    const principalId = nonEmptyStringAt(draft.body, "properties", "principalId") ?? "";
    if (!guid.test(principalId)) {
      throw badRequest(
        "InvalidPrincipalId",
        `The Principal ID '${principalId}' is not valid. Principal ID must be a GUID.`,
      );
    }
    const roleDefinitionId = roleDefinitionIdOf(draft, subscription);
    const scope = scopeOfAssignment(draft.id);
    const principalType = principalTypeOf(draft, principalId, subscription);
    checkUnique(draft, { principalId, roleDefinitionId, scope }, subscription);
    const given = members(draft.body.properties);
    const present = members(draft.existing?.body.properties);
    const stamped = stampsOf(draft, timestamp(subscription));
    return {
      body: withProperties(draft.body, {
        ...{ principalId, principalType, roleDefinitionId, scope },
        condition: given.condition ?? null,
        conditionVersion: given.conditionVersion ?? null,
        ...stamped,
        delegatedManagedIdentityResourceId:
          given.delegatedManagedIdentityResourceId ?? present.delegatedManagedIdentityResourceId ?? null,
        description: given.description ?? null,
      }),
    };
  },
  /** Renders an assignment. As in Azure, the response to a write does not contain the creator. */
  render({ body }, _subscription, request) {
    return withProperties(body, {
      ...shownStamps(body),
      ...(request?.method === "PUT" ? { createdBy: null } : {}),
    });
  },
  /**
   * Lists the assignments at the scope and at its parents. Unless the filter calls `atScope()`, also lists the assignments at
   * child scopes.
   */
  list(scope, request, subscription) {
    const filter = request.query.get("$filter");
    const terms = filterTerms(filter);
    const wanted = principalsIn(terms, subscription);
    const candidates = wanted
      ? wanted.flatMap((principalId) => subscription.resources.lookedUp(type, principalId))
      : subscription.resources.ofType(type);
    return candidates.filter((each) => visibleFrom(scope, each, filter));
  },
};

/**
 * True if a list at `scope` includes the assignment. The list includes assignments at parent scopes and, unless the filter calls
 * `atScope()`, at child scopes.
 */
export function visibleFrom(scope: string, { id }: ResourceRecord, filter: string | null): boolean {
  const here = `${keyOf(scope)}/`;
  const there = `${keyOf(scopeOfAssignment(id))}/`;
  return here.startsWith(there) || (!hasFilterCall(filter, "atScope") && there.startsWith(here));
}

/**
 * Returns the object IDs of the principals that a filter selects. `assignedTo` also selects the groups of the principal.
 * Undefined if the filter does not select by principal.
 */
function principalsIn(
  terms: ReadonlyMap<string, string>,
  subscription: Subscription,
): readonly string[] | undefined {
  const assignedTo = terms.get("assignedto");
  const objectId = terms.get("principalid") ?? assignedTo;
  if (objectId === undefined) return undefined;
  const groups = assignedTo === undefined ? [] : new Directory(subscription.store).groupsOf(assignedTo);
  return [objectId, ...groups.map((each) => each.objectId)];
}

/**
 * Returns the type of the principal. A new principal that is not replicated yet is accepted only if the caller specifies its
 * type. A principal that is not in the directory is always rejected. Azure would accept such a principal if the caller specifies
 * the type.
 */
function principalTypeOf(draft: Draft, principalId: string, subscription: Subscription): string {
  const named = nonEmptyStringAt(draft.body, "properties", "principalType");
  const principal = new Directory(subscription.store).findPrincipal(principalId);
  if (!principal || (named === undefined && !isReplicated(subscription, principal.entry))) {
    throw badRequest(
      "PrincipalNotFound",
      `Principal ${principalId.replaceAll("-", "")} does not exist in the directory ${subscription.tenantId}. Check that you have the correct principal ID. If you are creating this principal and then immediately assigning a role, this error might be related to a replication delay. In this case, set the role assignment principalType property to a value, such as ServicePrincipal, User, or Group. See https://aka.ms/docs-principaltype`,
    );
  }
  if (named !== undefined && named.toLowerCase() !== principal.type.toLowerCase()) {
    throw badRequest(
      "UnmatchedPrincipalType",
      `The PrincipalId '${principalId.replaceAll("-", "")}' has type '${principal.type}', which is different from specified PrinciaplType '${named}'.`,
    );
  }
  return principal.type;
}

/** Stores one of the role assignments that exist when the simulation starts. */
export function seedRoleAssignment(subscription: Subscription, principalId: string, roleId: string): void {
  const scope = `/subscriptions/${subscription.subscriptionId}`;
  const name = guidOf(`${scope}/${principalId}/${roleId}`);
  const id = `${scope}/providers/${type}/${name}`;
  if (subscription.resources.find(id)) return;
  const roleDefinitionId = `${scope}/providers/Microsoft.Authorization/roleDefinitions/${roleId}`;
  const draft = { id, name, existing: undefined, body: { properties: { principalId, roleDefinitionId } } };
  const now = timestamp(subscription);
  subscription.resources.put({
    id,
    name,
    type,
    etag: randomUUID(),
    createdAt: now,
    changedAt: now,
    hidden: {},
    ...roleAssignments.prepare(draft, subscription),
  });
}

/** Returns the scope that the ID of an assignment contains. */
export function scopeOfAssignment(id: string): string {
  return id.slice(0, keyOf(id).lastIndexOf("/providers/microsoft.authorization/"));
}

/**
 * Returns the role definition's ID in normal form. Clients may write `roleDefinition` instead of `roleDefinitions`, and may use
 * any scope in the ID.
 */
function roleDefinitionIdOf(draft: Draft, subscription: Subscription): string {
  const text = nonEmptyStringAt(draft.body, "properties", "roleDefinitionId") ?? "";
  const name = /\/roleDefinitions?\/([^/]+)$/i.exec(text)?.[1];
  const id = `/subscriptions/${subscription.subscriptionId}/providers/Microsoft.Authorization/roleDefinitions/${name}`;
  const definition = name === undefined ? undefined : subscription.resources.find(id);
  if (definition) return definition.id;
  throw badRequest(
    "RoleDefinitionDoesNotExist",
    `The specified role definition with ID '${name ?? text}' does not exist.`,
  );
}

function checkUnique(
  draft: Draft,
  wanted: { readonly principalId: string; readonly roleDefinitionId: string; readonly scope: string },
  subscription: Subscription,
): void {
  const sameRole = (each: ResourceRecord) =>
    nonEmptyStringAt(each.body, "properties", "principalId")?.toLowerCase() ===
      wanted.principalId.toLowerCase() &&
    nonEmptyStringAt(each.body, "properties", "roleDefinitionId") === wanted.roleDefinitionId;
  if (draft.existing && !sameRole(draft.existing)) {
    throw badRequest(
      "RoleAssignmentUpdateNotPermitted",
      "Tenant ID, application ID, principal ID, and scope are not allowed to be updated.",
    );
  }
  const twin = subscription.resources
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
