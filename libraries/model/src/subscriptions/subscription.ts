import { CloudError } from "@keelson/arm";
import { isPlainObject } from "@keelson/base";
import { malformed } from "../bodies/malformed.ts";
import { requireString } from "../bodies/request-properties.ts";
import {
  type Subscription,
  type SubscriptionState,
  subscriptionStates,
} from "../documents/subscription-document.ts";
import { subscriptionInState } from "./admission.ts";

/**
 * Parses the body of ARM's notification about a subscription. Unknown properties are stored, except the owner's e-mail address.
 * @throws CloudError InvalidParameter for an unknown state, InvalidRequestContent for a wrong JSON type.
 */
export function parseSubscription(body: unknown): Subscription {
  if (!isPlainObject(body)) throw malformed("", "an object", body);
  const { state, properties, ...unknownMembers } = body;
  const known = subscriptionStates.find((each) => each === (state ?? ""));
  if (!known) {
    if (typeof (state ?? "") !== "string") throw malformed("state", "a string", state);
    throw new CloudError("InvalidParameter", `The provided state '${state ?? ""}' is invalid.`, {
      target: "state",
    });
  }
  return {
    ...unknownMembers,
    state: known,
    ...(properties === undefined || properties === null ? {} : { properties: parseProperties(properties) }),
  };
}

/**
 * Rejects a transition from `Deleted`, because this state is final.
 * @throws CloudError InvalidSubscriptionState
 */
export function assertSubscriptionTransition(
  current: SubscriptionState | undefined,
  next: SubscriptionState,
): void {
  if (current === "Deleted" && next !== "Deleted") throw subscriptionInState("Deleted");
}

function parseProperties(properties: unknown): NonNullable<Subscription["properties"]> {
  if (!isPlainObject(properties)) throw malformed("properties", "an object", properties);
  const { tenantId, accountOwner, registeredFeatures, ...unknownMembers } = properties;
  return {
    ...unknownMembers,
    ...(tenantId == null ? {} : { tenantId: requireString(tenantId, "properties.tenantId") }),
    ...(accountOwner == null ? {} : { accountOwner: withoutEmail(accountOwner) }),
    ...(registeredFeatures == null ? {} : { registeredFeatures: parseFeatures(registeredFeatures) }),
  };
}

function withoutEmail(accountOwner: unknown): Readonly<Record<string, unknown>> {
  if (!isPlainObject(accountOwner)) throw malformed("properties.accountOwner", "an object", accountOwner);
  return Object.fromEntries(Object.entries(accountOwner).filter(([name]) => name.toLowerCase() !== "email"));
}

function parseFeatures(features: unknown): readonly { readonly name: string; readonly state: string }[] {
  const path = "properties.registeredFeatures";
  if (!Array.isArray(features)) throw malformed(path, "an array", features);
  return features.map((feature: unknown, index) => {
    const at = `${path}[${index}]`;
    if (!isPlainObject(feature)) throw malformed(at, "an object", feature);
    return {
      ...feature,
      name: requireString(feature.name ?? "", `${at}.name`),
      state: requireString(feature.state ?? "", `${at}.state`),
    };
  });
}
