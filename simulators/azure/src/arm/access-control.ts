import type { ArmRequest } from "./exchange.ts";
import type { Principal } from "./principal.ts";

/** Who may do and see what: decided by role assignments, deny assignments, locks and policies. */
export interface AccessControl {
  /** @throws ArmError 403, 409 */
  authorize(request: ArmRequest): void;
  /** Whether a principal has any role at a scope, above or below it: those see that it is there. */
  hasRoleWithin(principal: Principal, scope: string): boolean;
  /** Which resources a list shows to a principal. */
  readableBy(principal: Principal): (resource: { readonly id: string; readonly type: string }) => boolean;
}
