import type { JsonObject } from "@keelson/base";
import { ArmError } from "../arm/arm-error.ts";
import { keyOf } from "../arm/arm-path.ts";
import type { Principal } from "../arm/principal.ts";
import type { ResourceRecord } from "../arm/resource.ts";
import type { Subscription } from "../arm/subscription.ts";
import { at, nonEmptyStringAt, objectsAt } from "../base/json.ts";
import { Directory } from "../entra/directory.ts";
import { assignedAbove } from "./assigned-above.ts";
import { denyAssignmentType } from "./deny-assignments.ts";
import { isAllowed } from "./rights.ts";
import { scopeOfAssignment } from "./role-assignments.ts";
import type { WantedAction } from "./wanted-action.ts";

/** Principal ID that stands for all principals in a deny assignment. */
const everyone = "00000000-0000-0000-0000-000000000000";

/**
 * Returns the error for an action that a deny assignment forbids. Returns `undefined` if no deny assignment forbids it. `kind`
 * selects management or data actions.
 */
export function denialOf(
  subscription: Subscription,
  principal: Principal,
  { scope, action }: WantedAction,
  kind: "resource" | "data" = "resource",
): ArmError | undefined {
  const denials = assignedAbove(subscription, denyAssignmentType, scope);
  if (denials.length === 0) return undefined;
  const groups = new Directory(subscription.store).groupsOf(principal.objectId);
  const holders = new Set([principal, ...groups].map(({ objectId }) => objectId.toLowerCase()));
  const isService = subscription.firstParties.has(principal.clientId.toLowerCase());
  const denial = denials.find(
    (each) =>
      holdsAt(each, scope) &&
      isAbout(each, holders) &&
      !(isService && at(each.body, "properties", "isSystemProtected") === true) &&
      isAllowed(objectsAt(each.body, "properties", "permissions"), action, kind),
  );
  if (!denial) return undefined;
  const { clientId, objectId, userPrincipalName = clientId } = principal;
  const name = nonEmptyStringAt(denial.body, "properties", "denyAssignmentName") ?? denial.name;
  return new ArmError(
    403,
    "DenyAssignmentAuthorizationFailed",
    `The client '${userPrincipalName}' with object id '${objectId}' has permission to perform action '${action}' on scope '${scope}'; however, the access is denied because of the deny assignment with name '${name}' and Id '${denial.name.replaceAll("-", "")}' at scope '${scopeOfAssignment(denial.id)}'.`,
  );
}

function holdsAt({ id, body }: ResourceRecord, scope: string): boolean {
  const isForChildren = at(body, "properties", "doesNotApplyToChildScopes") !== true;
  return isForChildren || keyOf(scope) === keyOf(scopeOfAssignment(id));
}

function isAbout({ body }: ResourceRecord, holders: ReadonlySet<string>): boolean {
  const ids = (member: string) =>
    objectsAt(body, "properties", member).map(
      (each: JsonObject) => nonEmptyStringAt(each, "id")?.toLowerCase() ?? "",
    );
  const isHeld = (id: string) => holders.has(id);
  return (
    ids("principals").some((id) => id === everyone || isHeld(id)) && !ids("excludePrincipals").some(isHeld)
  );
}
