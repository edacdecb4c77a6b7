import { ArmError } from "../../arm/arm-error.ts";
import { subscriptionOf } from "../../arm/arm-path.ts";
import type { ArmRequest } from "../../arm/exchange.ts";
import type { Subscription } from "../../arm/subscription.ts";
import { checkPolicies } from "../../policy/check-policies.ts";
import { checkLocks } from "../check-locks.ts";
import { denialOf } from "../denials.ts";
import { hasRoleWithin, isAllowed, rightsAnywhere, rightsAt } from "../rights.ts";
import { wantedAction } from "../wanted-action.ts";

/**
 * Authorizes a request. Checks role assignments and deny assignments, then locks, then policies.
 * @throws ArmError 403 AuthorizationFailed, DenyAssignmentAuthorizationFailed or RequestDisallowedByPolicy; 409 ScopeLocked
 */
export function authorize(subscription: Subscription, request: ArmRequest): void {
  const wanted = wantedAction(request);
  if (!wanted) return;
  const { principal } = request;
  const { action, scope } = wanted;
  // Requests for an unknown subscription are not checked here, so that every caller receives error 404 instead of 403.
  if (
    (subscriptionOf(scope) ?? subscription.subscriptionId).toLowerCase() !==
    subscription.subscriptionId.toLowerCase()
  )
    return;
  const mayByRole = wanted.isForAnyRole
    ? hasRoleWithin(subscription, principal, scope)
    : isAllowed(
        wanted.isForAnyScope
          ? rightsAnywhere(subscription, principal)
          : rightsAt(subscription, principal, scope),
        action,
      );
  if (
    !mayByRole ||
    (isDenialWrite(action) && !subscription.firstParties.has(principal.clientId.toLowerCase()))
  ) {
    const { clientId, objectId, userPrincipalName = clientId } = principal;
    throw new ArmError(
      403,
      "AuthorizationFailed",
      `The client '${userPrincipalName}' with object id '${objectId}' does not have authorization to perform action '${action}' over scope '${scope}' or the scope is invalid. If access was recently granted, please refresh your credentials.`,
    );
  }
  const denial = isDenialWrite(action) ? undefined : denialOf(subscription, principal, wanted);
  if (denial) throw denial;
  checkLocks(subscription, request, wanted);
  checkPolicies(subscription, request);
}

/** True for writes of deny assignments. Only Azure services may write them, regardless of roles. */
function isDenialWrite(action: string): boolean {
  return /^Microsoft\.Authorization\/denyAssignments\/(write|delete)$/i.test(action);
}
