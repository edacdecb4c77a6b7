import { type ArmRequest, type ArmResponse, ok } from "../arm/exchange.ts";
import type { Subscription } from "../arm/subscription.ts";
import { rightsAt } from "./rights.ts";

/** Handles `GET {scope}/providers/Microsoft.Authorization/permissions`. Returns the caller's permissions at the scope. */
export function permissions(scope: string, request: ArmRequest, subscription: Subscription): ArmResponse {
  return ok({ value: rightsAt(subscription, request.principal, scope) });
}
