import type { JsonObject } from "@keelson/base";
import { ArmError } from "./arm-error.ts";
import { type ArmResponse, ok } from "./exchange.ts";
import { displayNameOf } from "./locations.ts";
import type { DescribedType } from "./provider.ts";
import type { Subscription } from "./subscription.ts";

/** Default API versions of types, newest first. */
const commonApiVersions = ["2025-07-01", "2025-05-01", "2024-07-01", "2022-04-01", "2018-05-01"];

export function listProviders(subscription: Subscription): ArmResponse {
  return ok({ value: subscription.registry.namespaces().map((each) => provider(subscription, each)) });
}

export function getProvider(subscription: Subscription, namespace: string): ArmResponse {
  return ok(provider(subscription, requireProvider(subscription, namespace)));
}

/** Registers or unregisters a provider immediately. In Azure this takes minutes. */
export function setRegistration(
  subscription: Subscription,
  namespace: string,
  state: "Registered" | "Unregistered",
): ArmResponse {
  const known = requireProvider(subscription, namespace);
  subscription.registrations.set(known, state);
  return ok(provider(subscription, known));
}

function requireProvider(subscription: Subscription, namespace: string): string {
  const known = subscription.registry
    .namespaces()
    .find((each) => each.toLowerCase() === namespace.toLowerCase());
  if (known) return known;
  throw new ArmError(404, "InvalidResourceNamespace", `The resource namespace '${namespace}' is invalid.`);
}

function provider(subscription: Subscription, namespace: string): JsonObject {
  const parts = subscription.registry.providersOf(namespace);
  const described = parts.flatMap(({ types = [], describedTypes = [] }) => [
    ...types.map(({ type }) => type),
    ...describedTypes,
  ]);
  const authorizations = parts.flatMap((each) => each.authorizations ?? []);
  const locations = subscription.locations.map(displayNameOf);
  return {
    id: `/subscriptions/${subscription.subscriptionId}/providers/${namespace}`,
    namespace,
    ...(authorizations.length > 0 ? { authorizations } : {}),
    resourceTypes: described.map((each) =>
      typeof each === "string"
        ? { resourceType: each, locations, apiVersions: commonApiVersions, capabilities: "None" }
        : registeredType(each, locations),
    ),
    registrationState: subscription.registrations.stateOf(namespace),
    registrationPolicy: "RegistrationRequired",
  };
}

function registeredType(
  { resourceType, isRegional, apiVersions, defaultApiVersion, capabilities }: DescribedType,
  locations: readonly string[],
): JsonObject {
  return {
    resourceType,
    locations: isRegional ? locations : [],
    apiVersions,
    ...(defaultApiVersion === undefined ? {} : { defaultApiVersion }),
    capabilities,
  };
}
