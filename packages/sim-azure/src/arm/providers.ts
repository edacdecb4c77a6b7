import type { JsonObject } from "@keelson/base";
import { ArmError } from "./arm-error.ts";
import { type ArmResponse, ok } from "./exchange.ts";
import type { World } from "./world.ts";

/** Providers that clients look up although their resources are served elsewhere. */
const others: Readonly<Record<string, readonly string[]>> = {
  "Microsoft.RedHatOpenShift": [
    "OpenShiftClusters",
    "locations",
    "locations/openshiftversions",
    "locations/operationresults",
    "locations/operationsstatus",
    "operations",
  ],
  "Microsoft.Resources": ["resourceGroups", "subscriptions", "tenants"],
};

/** Newest first: clients take the first stable one for generic calls. */
const apiVersions = ["2025-07-01", "2025-05-01", "2024-07-01", "2022-04-01", "2018-05-01"];
const openShiftApiVersions = ["2025-07-25", "2023-11-22", "2019-12-31-preview"];

export function listProviders(world: World): ArmResponse {
  return ok({ value: namespaces(world).map((each) => provider(world, each)) });
}

/** `GET` and `POST .../register`: every provider is registered from the start. */
export function getProvider(world: World, namespace: string): ArmResponse {
  const known = namespaces(world).find((each) => each.toLowerCase() === namespace.toLowerCase());
  if (known) return ok(provider(world, known));
  throw new ArmError(404, "InvalidResourceNamespace", `The resource namespace '${namespace}' is invalid.`);
}

function namespaces(world: World): readonly string[] {
  return [...world.registry.namespaces(), ...Object.keys(others)];
}

function provider(world: World, namespace: string): JsonObject {
  const served = world.registry.typesIn(namespace).map(({ type }) => type);
  const versions = namespace === "Microsoft.RedHatOpenShift" ? openShiftApiVersions : apiVersions;
  return {
    id: `/subscriptions/${world.subscriptionId}/providers/${namespace}`,
    namespace,
    registrationState: "Registered",
    registrationPolicy: "RegistrationRequired",
    resourceTypes: [...served, ...(others[namespace] ?? [])].map((resourceType) => ({
      resourceType,
      locations: world.locations,
      apiVersions: versions,
      capabilities: "None",
    })),
  };
}
