import { ArmError } from "../arm/arm-error.ts";
import { keyOf } from "../arm/arm-path.ts";
import type { ArmRequest } from "../arm/exchange.ts";
import type { Subscription } from "../arm/subscription.ts";
import { nonEmptyStringAt } from "../base/json.ts";
import { lockType } from "./locks.ts";
import { scopeOfAssignment } from "./role-assignments.ts";
import type { WantedAction } from "./wanted-action.ts";

/**
 * Rejects actions that are forbidden by a lock on the scope or on a parent scope. A deletion is also forbidden by locks on child
 * scopes. What-if deployments and changes to locks are always allowed.
 * @throws ArmError 409 ScopeLocked
 */
export function checkLocks(
  subscription: Subscription,
  { method }: ArmRequest,
  { scope, action }: WantedAction,
): void {
  if (method === "GET" || method === "HEAD" || isFree(action)) return;
  const isDeletion = method === "DELETE";
  const target = `${keyOf(scope)}/`;
  const locked = subscription.resources.ofType(lockType).flatMap(({ id, body }) => {
    const at = scopeOfAssignment(id);
    const place = `${keyOf(at)}/`;
    const holds = isDeletion || nonEmptyStringAt(body, "properties", "level") === "ReadOnly";
    return holds && (target.startsWith(place) || (isDeletion && place.startsWith(target))) ? [at] : [];
  });
  if (locked.length === 0) return;
  throw new ArmError(
    409,
    "ScopeLocked",
    `The scope '${scope}' cannot perform ${isDeletion ? "delete" : "write"} operation because following scope(s) are locked: '${[...new Set(locked)].join(",")}'. Please remove the lock and try again.`,
  );
}

function isFree(action: string): boolean {
  return /^Microsoft\.(Authorization\/locks\/\w+|Resources\/deployments\/\w+\/action)$/i.test(action);
}
