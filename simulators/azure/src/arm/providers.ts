import type { JsonObject } from "@keelson/base";
import { openShiftService } from "../entra/first-party-clients.ts";
import type { Store, Table } from "../store/store.ts";
import { ArmError } from "./arm-error.ts";
import { type ArmResponse, ok } from "./exchange.ts";
import type { Subscription } from "./subscription.ts";

/** Providers that clients look up although their resources are served elsewhere. */
const others: Readonly<Record<string, readonly string[]>> = {
  "Microsoft.RedHatOpenShift": [
    "OpenShiftClusters",
    "locations",
    "locations/openshiftversions",
    "locations/operationresults",
    "locations/operationsstatus",
    "locations/platformworkloadidentityrolesets",
    "operations",
  ],
  "Microsoft.Features": ["features", "providers"],
  "Microsoft.Resources": ["deployments", "resourceGroups", "subscriptions", "tenants"],
};

/** Newest first: clients take the first stable one for generic calls. */
const apiVersions = ["2025-07-01", "2025-05-01", "2024-07-01", "2022-04-01", "2018-05-01"];
const openShiftApiVersions = [
  "2025-07-25",
  "2024-08-12-preview",
  "2023-11-22",
  "2023-09-04",
  "2023-07-01-preview",
  "2023-04-01",
  "2022-09-04",
  "2022-04-01",
  "2021-09-01-preview",
  "2020-04-30",
  "2019-12-31-preview",
];
/** By which role the service's own application acts in subscriptions. */
const openShiftAuthorizations = [
  {
    applicationId: openShiftService.clientId,
    roleDefinitionId: "640c5ac9-6f32-4891-94f4-d20f7aa9a7e6",
    managedByRoleDefinitionId: "9e3af657-a8ff-583c-a75c-2fe7c4bcb635",
    managedByAuthorization: { allowManagedByInheritance: true },
  },
];

export function listProviders(subscription: Subscription): ArmResponse {
  return ok({ value: namespaces(subscription).map((each) => provider(subscription, each)) });
}

/** Which providers the subscription uses: all from the start. */
export class Registrations {
  readonly #states: Table<string>;

  constructor(store: Store) {
    this.#states = store.table("registration");
  }

  stateOf(namespace: string): string {
    return this.#states.get(namespace.toLowerCase()) ?? "Registered";
  }

  set(namespace: string, state: "Registered" | "Unregistered"): void {
    this.#states.set(namespace.toLowerCase(), state);
  }
}

export function getProvider(subscription: Subscription, namespace: string): ArmResponse {
  return ok(provider(subscription, requireProvider(subscription, namespace)));
}

/** Takes effect at once; in Azure it takes minutes. */
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
  const known = namespaces(subscription).find((each) => each.toLowerCase() === namespace.toLowerCase());
  if (known) return known;
  throw new ArmError(404, "InvalidResourceNamespace", `The resource namespace '${namespace}' is invalid.`);
}

function namespaces(subscription: Subscription): readonly string[] {
  return [...new Set([...subscription.registry.namespaces(), ...Object.keys(others)])];
}

function provider(subscription: Subscription, namespace: string): JsonObject {
  const served = subscription.registry.typesIn(namespace).map(({ type }) => type);
  const isOpenShift = namespace === "Microsoft.RedHatOpenShift";
  const versions = isOpenShift ? openShiftApiVersions : apiVersions;
  return {
    id: `/subscriptions/${subscription.subscriptionId}/providers/${namespace}`,
    namespace,
    ...(isOpenShift ? { authorizations: openShiftAuthorizations } : {}),
    registrationState: subscription.registrations.stateOf(namespace),
    registrationPolicy: "RegistrationRequired",
    resourceTypes: [...served, ...(others[namespace] ?? [])].map((resourceType) => ({
      resourceType,
      locations: subscription.locations,
      apiVersions: versions,
      capabilities: "None",
    })),
  };
}
