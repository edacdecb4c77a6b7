import type { ArmRequest } from "./exchange.ts";
import type { Principal } from "./principal.ts";

/** Access decisions by role assignments, deny assignments, locks and policies. */
export interface AccessControl {
  /** @throws ArmError 403, 409 */
  authorize(request: ArmRequest): void;
  /**
   * True if a principal has any role at a scope, above or below it. Such principals can see that the scope
   * exists.
   */
  hasRoleWithin(principal: Principal, scope: string): boolean;
  /** Filter of the resources that a list shows to a principal. */
  readableBy(principal: Principal): (resource: { readonly id: string; readonly type: string }) => boolean;
}
