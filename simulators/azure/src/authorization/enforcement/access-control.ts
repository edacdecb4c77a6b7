import type { AccessControl } from "../../arm/access-control.ts";
import type { Subscription } from "../../arm/subscription.ts";
import { hasRoleWithin, readableBy } from "../rights.ts";
import { authorize } from "./enforcement.ts";

/**
 * Returns access control based on role assignments, deny assignments, locks and policies. The function `subscription` is called
 * only when a request is checked.
 */
export function accessControl(subscription: () => Subscription): AccessControl {
  return {
    authorize: (request) => authorize(subscription(), request),
    hasRoleWithin: (principal, scope) => hasRoleWithin(subscription(), principal, scope),
    readableBy: (principal) => readableBy(subscription(), principal),
  };
}
