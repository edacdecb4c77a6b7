import { ArmError } from "../arm/arm-error.ts";
import { type ArmResponse, ok } from "../arm/exchange.ts";
import { asJson } from "../base/json.ts";
import { faultKinds } from "../faults/definitions/fault-kinds.ts";
import type { SimulatedSubscription } from "../pipeline/simulated-subscription.ts";

/** Handles `GET /sim/faults` (active faults) and `GET /sim/faults/kinds` (available kinds). */
export function faultsResponse(subscription: SimulatedSubscription, rest: readonly string[]): ArmResponse {
  if (rest.length === 0) return ok({ items: asJson(subscription.faults.list()) });
  if (rest.length === 1 && rest[0]?.toLowerCase() === "kinds") return ok(asJson(faultKinds));
  throw new ArmError(404, "InvalidRequestUri", `There is nothing at '/sim/faults/${rest.join("/")}'.`);
}
