import { type ArmError, badRequest } from "./arm-error.ts";
import type { ProviderPath } from "./arm-path.ts";
import type { Subscription } from "./subscription.ts";

/** When each provider's first API version is from; of all others, when Azure Resource Manager's own is from. */
const firstVersions = new Map([
  ["microsoft.authorization", "2014-07-01"],
  ["microsoft.compute", "2015-05-01"],
  ["microsoft.containerregistry", "2016-06-27"],
  ["microsoft.keyvault", "2014-12-19"],
  ["microsoft.managedidentity", "2015-08-31"],
  ["microsoft.network", "2014-12-01"],
  ["microsoft.storage", "2015-05-01"],
]);
const firstOfAll = "2014-01-01";

/**
 * Refuses API versions from before a provider was there, and those still to come. Which versions in between a type
 * really has is not known here. @throws ArmError 400
 */
export function checkSupported(subscription: Subscription, path: ProviderPath, version: string): void {
  const first = firstVersions.get(path.namespace.toLowerCase()) ?? firstOfAll;
  const date = version.slice(0, 10);
  const today = subscription.clock.now().toISOString().slice(0, 10);
  if (date < first || date > today) throw unsupported(subscription, path, version, `${first}' to '${today}`);
}

function unsupported(
  subscription: Subscription,
  { types }: ProviderPath,
  version: string,
  range: string,
): ArmError {
  const locations = subscription.locations.join(", ");
  return badRequest(
    "NoRegisteredProviderFound",
    `No registered resource provider found for location '${subscription.locations[0] ?? ""}' and API version '${version}' for type '${types.join("/")}'. The supported api-versions are '${range}'. The supported locations are '${locations}'.`,
  );
}
