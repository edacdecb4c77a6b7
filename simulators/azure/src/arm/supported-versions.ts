import { type ArmError, badRequest } from "./arm-error.ts";
import type { ProviderPath } from "./arm-path.ts";
import type { Subscription } from "./subscription.ts";

/** First API version of Azure Resource Manager. */
const firstOfAll = "2014-01-01";

/**
 * Rejects future API versions, and versions older than the first version of the provider. Does not check that the version exists
 * for the type.
 * @throws ArmError 400
 */
export function checkSupported(subscription: Subscription, path: ProviderPath, version: string): void {
  const providers = subscription.registry.providersOf(path.namespace);
  const first = providers.find((each) => each.firstApiVersion)?.firstApiVersion ?? firstOfAll;
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
