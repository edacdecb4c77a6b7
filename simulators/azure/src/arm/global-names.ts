import { nonEmptyStringAt } from "../base/json.ts";
import { type ArmError, badRequest } from "./arm-error.ts";
import { type ArmRequest, type ArmResponse, ok } from "./exchange.ts";
import type { ResourceType } from "./resource-type.ts";
import type { Subscription } from "./subscription.ts";

/** Checks that a new resource's name is globally unique in Azure. @throws ArmError */
export function checkGlobalName(
  subscription: Subscription,
  type: ResourceType,
  id: string,
  name: string,
): void {
  const refusal = refusalOf(subscription, type, name, id);
  if (refusal) throw refusal;
}

/**
 * Handles `POST .../checkNameAvailability`. Returns the availability of a name and the reason if it is unavailable.
 * @throws ArmError
 */
export function checkNameAvailability(
  subscription: Subscription,
  type: ResourceType,
  request: ArmRequest,
): ArmResponse {
  const name = nonEmptyStringAt(request.body, "name");
  if (name === undefined) throw badRequest("InvalidRequestContent", "The request needs a 'name'.");
  const rules = type.globalName;
  if (rules && !type.names.test(name)) {
    return ok({ nameAvailable: false, reason: rules.invalid, message: rules.rules });
  }
  const refusal = refusalOf(subscription, type, name);
  if (!refusal) return ok({ nameAvailable: true });
  return ok({ nameAvailable: false, reason: "AlreadyExists", message: refusal.message });
}

function refusalOf(
  subscription: Subscription,
  type: ResourceType,
  name: string,
  id?: string,
): ArmError | undefined {
  const { globalName } = type;
  if (!globalName) return undefined;
  const [holder] = subscription.resources.lookedUp(`${type.namespace}/${type.type}`, name);
  return holder ? globalName.taken(name, holder) : globalName.held?.(name, id, subscription);
}
