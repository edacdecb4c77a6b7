import type { JsonObject } from "@keelson/base";
import { keyOf } from "../arm/arm-path.ts";
import type { World } from "../arm/world.ts";
import { Directory } from "../entra/directory.ts";
import type { Principal } from "../entra/principal.ts";
import { type at, isJsonObject, objectsAt, textAt } from "../json.ts";
import { matchesPattern } from "./pattern.ts";
import { scopeOfAssignment } from "./role-assignments.ts";

const everything: JsonObject = { actions: ["*"], notActions: [], dataActions: ["*"], notDataActions: [] };

/**
 * What a principal may do at a scope, one entry per role. Everyone may do everything, unless the settings say that
 * this one has only what was assigned to it, or to a group of its, at the scope or above.
 */
export function rightsAt(world: World, principal: Principal, scope: string): readonly JsonObject[] {
  if (!isLimited(world, principal)) return [everything];
  const here = `${keyOf(scope)}/`;
  const groups = new Directory(world.store).groupsOf(principal.objectId);
  const newest = world.clock.now().getTime() - world.settings.current.rightsDelayMs;
  return [principal, ...groups]
    .flatMap(({ objectId }) => world.resources.lookedUp("Microsoft.Authorization/roleAssignments", objectId))
    .filter(({ createdAt }) => Date.parse(createdAt) <= newest)
    .filter(({ id }) => here.startsWith(`${keyOf(scopeOfAssignment(id))}/`))
    .flatMap(({ body }) => {
      const role = world.resources.find(textAt(body, "properties", "roleDefinitionId") ?? "");
      return role ? objectsAt(role.body, "properties", "permissions") : [];
    });
}

/** Settings name applications by client ID, users by object ID. */
export function isLimited(world: World, { clientId, objectId }: Principal): boolean {
  const user = new Directory(world.store).findUser(objectId);
  const source = world.settings.current.rights[user?.objectId ?? clientId];
  return source === undefined ? user?.limited === true : source === "assignments";
}

/** `kind` tells what is done to resources from what is done to the data in them. */
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
