import type { ArmRequest } from "./exchange.ts";
import type { Principal } from "./principal.ts";

/** Access decisions based on role assignments, deny assignments, locks and policies. */
export interface AccessControl {
  /** Authorizes a request. @throws ArmError 403, 409 */
  authorize(request: ArmRequest): void;
  /**
   * True if a principal has a role at the scope, at one of its parents or at one of its children. Such a principal can see that
   * the scope exists.
   */
  hasRoleWithin(principal: Principal, scope: string): boolean;
  /** Returns a filter for the resources that a principal can see in lists. */
  readableBy(principal: Principal): (resource: { readonly id: string; readonly type: string }) => boolean;
}
