import type { JsonObject } from "@keelson/base";
import { keyOf } from "../arm/arm-path.ts";
import type { Principal } from "../arm/principal.ts";
import type { ResourceRecord } from "../arm/resource.ts";
import type { Subscription } from "../arm/subscription.ts";
import { type at, isJsonObject, nonEmptyStringAt, objectsAt } from "../base/json.ts";
import { Directory } from "../entra/directory.ts";
import { matchesPattern } from "./pattern.ts";
import { scopeOfAssignment } from "./role-assignments.ts";

const everything: JsonObject = { actions: ["*"], notActions: [], dataActions: ["*"], notDataActions: [] };

/**
 * Returns the rights of a principal at a scope, one entry per role. Includes roles of the principal's groups, and roles at parent
 * scopes. The settings can grant all rights.
 */
export function rightsAt(
  subscription: Subscription,
  principal: Principal,
  scope: string,
): readonly JsonObject[] {
  return rightsOf(subscription, principal)(scope);
}

/** Returns the rights of a principal at all scopes of the subscription, one entry per role. */
export function rightsAnywhere(subscription: Subscription, principal: Principal): readonly JsonObject[] {
  if (!isLimited(subscription, principal)) return [everything];
  return assignmentsOf(subscription, principal).flatMap((each) => permissionsOf(subscription, each));
}

function permissionsOf(subscription: Subscription, { body }: ResourceRecord): readonly JsonObject[] {
  const role = subscription.resources.find(nonEmptyStringAt(body, "properties", "roleDefinitionId") ?? "");
  return role ? objectsAt(role.body, "properties", "permissions") : [];
}

/**
 * Returns a function from a scope to the rights that `rightsAt` returns for one principal. The principal's role assignments are
 * read only once, before the first call.
 */
function rightsOf(
  subscription: Subscription,
  principal: Principal,
): (scope: string) => readonly JsonObject[] {
  if (!isLimited(subscription, principal)) return () => [everything];
  const assigned = assignmentsOf(subscription, principal).map((each) => ({
    place: `${keyOf(scopeOfAssignment(each.id))}/`,
    permissions: permissionsOf(subscription, each),
  }));
  return (scope) => {
    const here = `${keyOf(scope)}/`;
    return assigned.flatMap(({ place, permissions }) => (here.startsWith(place) ? permissions : []));
  };
}

/** Returns a filter for the resources that a principal can see in lists. */
export function readableBy(
  subscription: Subscription,
  principal: Principal,
): (resource: { readonly id: string; readonly type: string }) => boolean {
  const rights = rightsOf(subscription, principal);
  return ({ id, type }) => isAllowed(rights(id), `${type}/read`);
}

/**
 * True if a principal has a role at the scope, at one of its parents or at one of its children. Such a principal can see that the
 * scope exists.
 */
export function hasRoleWithin(subscription: Subscription, principal: Principal, scope: string): boolean {
  if (!isLimited(subscription, principal)) return true;
  const here = `${keyOf(scope)}/`;
  return assignmentsOf(subscription, principal).some(({ id }) => {
    const there = `${keyOf(scopeOfAssignment(id))}/`;
    return here.startsWith(there) || there.startsWith(here);
  });
}

/** Returns the role assignments that apply to a principal, including assignments to the principal's groups. */
function assignmentsOf(subscription: Subscription, principal: Principal): readonly ResourceRecord[] {
  const groups = new Directory(subscription.store).groupsOf(principal.objectId);
  const newest = subscription.clock.now().getTime() - subscription.settings.current.rightsDelayMs;
  return [principal, ...groups]
    .flatMap(({ objectId }) =>
      subscription.resources.lookedUp("Microsoft.Authorization/roleAssignments", objectId),
    )
    .filter(({ createdAt }) => Date.parse(createdAt) <= newest);
}

/**
 * True if only role assignments grant rights to the principal, because the settings do not grant all rights. The settings
 * identify applications by client ID and users by object ID.
 */
export function isLimited(subscription: Subscription, { clientId, objectId }: Principal): boolean {
  const { rights, defaultRights } = subscription.settings.current;
  const user = new Directory(subscription.store).findUser(objectId);
  return (rights[user?.objectId ?? clientId] ?? defaultRights) === "assignments";
}

/** True if the rights include the action. `kind` selects management or data actions. */
export function isAllowed(
  permissions: readonly JsonObject[],
  action: string,
  kind: "resource" | "data" = "resource",
): boolean {
  const matches = (patterns: ReturnType<typeof at>) =>
    Array.isArray(patterns) &&
    patterns.some((each) => typeof each === "string" && matchesPattern(each, action));
  return permissions.some((each) => {
    if (!isJsonObject(each)) return false;
    return kind === "data"
      ? matches(each.dataActions) && !matches(each.notDataActions)
      : matches(each.actions) && !matches(each.notActions);
  });
}
