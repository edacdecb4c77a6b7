import { badRequest } from "../arm/arm-error.ts";
import type { ResourceType } from "../arm/resource-type.ts";
import type { Subscription } from "../arm/subscription.ts";
import { isJsonObject, nonEmptyStringAt, objectsAt, withProperties } from "../base/json.ts";
import { checkRule } from "./policy-rule.ts";

/** Properties common to all policy resource types. */
export const policyDefaults = {
  namespace: "Microsoft.Authorization",
  scope: "any",
  location: "none",
  provisioningState: false,
  names: /^[^<>*%&:?+/\\]{1,128}$/,
} as const;

const home = (subscription: Subscription) => `/subscriptions/${subscription.subscriptionId}`;

/** Policy definitions. They take effect only at scopes to which they are assigned. */
export const policyDefinitions: ResourceType = {
  ...policyDefaults,
  type: "policyDefinitions",
  home,
  prepare({ body, name }) {
    const properties = isJsonObject(body.properties) ? body.properties : {};
    checkRule(properties.policyRule);
    const displayName = nonEmptyStringAt(properties, "displayName") ?? name;
    const mode = nonEmptyStringAt(properties, "mode") ?? "Indexed";
    return { body: withProperties(body, { displayName, mode, policyType: "Custom" }) };
  },
};

/** Policy sets: several definitions that are assigned together. */
export const policySetDefinitions: ResourceType = {
  ...policyDefaults,
  type: "policySetDefinitions",
  home,
  prepare({ body, name }, subscription) {
    const parts = objectsAt(body, "properties", "policyDefinitions");
    for (const each of parts) requireDefinition(subscription, nonEmptyStringAt(each, "policyDefinitionId"));
    const displayName = nonEmptyStringAt(body, "properties", "displayName") ?? name;
    return { body: withProperties(body, { displayName, policyType: "Custom" }) };
  },
};

/**
 * Checks that a policy definition or set definition with this ID exists.
 * @throws ArmError 400 if it does not exist, or if the ID belongs to a different type
 */
export function requireDefinition(subscription: Subscription, id: string | undefined): void {
  if (id !== undefined && /\/policy(Set)?Definitions\/[^/]+$/i.test(id) && subscription.resources.find(id))
    return;
  throw badRequest(
    "PolicyDefinitionNotFound",
    `The policy definition specified in policy assignment or set is not there: '${id ?? ""}'.`,
  );
}
