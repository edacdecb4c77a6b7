import { keyOf, type ProviderPath } from "./arm-path.ts";
import { checkNameAvailability } from "./global-names.ts";
import type { ProviderView, ResourceType } from "./resource-type.ts";
import type { Subscription } from "./subscription.ts";

/** What the types of a provider answer at the subscription, beside their resources. */
export function providerView(
  subscription: Subscription,
  { scope, namespace, types }: ProviderPath,
): ProviderView | undefined {
  if (scope.split("/").length !== 3) return undefined;
  const path = keyOf(types.join("/"));
  for (const type of subscription.registry.typesIn(namespace)) {
    const view = Object.entries(viewsOf(type)).find(([name]) => keyOf(name) === path)?.[1];
    if (view) return view;
  }
  return undefined;
}

function viewsOf(type: ResourceType): Readonly<Record<string, ProviderView>> {
  if (!type.globalName) return type.views ?? {};
  const check: ProviderView = {
    method: "POST",
    run: (_names, request, subscription) => checkNameAvailability(subscription, type, request),
  };
  return { checkNameAvailability: check, ...type.views };
}
