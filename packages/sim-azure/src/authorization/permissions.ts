import { type ArmResponse, ok } from "../arm/exchange.ts";

/** `GET {scope}/providers/Microsoft.Authorization/permissions`: rights are not enforced, so everyone has all. */
export function permissions(): ArmResponse {
  return ok({ value: [{ actions: ["*"], notActions: [], dataActions: [], notDataActions: [] }] });
}
