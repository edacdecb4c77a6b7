import { type ArmRequest, type ArmResponse, ok } from "../arm/exchange.ts";
import type { World } from "../arm/world.ts";
import { rightsAt } from "./rights.ts";

/** `GET {scope}/providers/Microsoft.Authorization/permissions`: what the caller may do there. */
export function permissions(world: World, scope: string, request: ArmRequest): ArmResponse {
  return ok({ value: rightsAt(world, request.principal, scope) });
}
