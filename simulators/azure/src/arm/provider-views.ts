import { keyOf, type ProviderPath } from "./arm-path.ts";
import { checkNameAvailability } from "./global-names.ts";
import type { ProviderView, ScopeView } from "./provider.ts";
import type { ResourceType } from "./resource-type.ts";
import type { Subscription } from "./subscription.ts";

type Views<View> = Readonly<Record<string, View>>;

/** Returns the provider view at a subscription path. A view is data that is not a resource, for example quotas. */
export function providerView(
  { registry }: Subscription,
  { scope, namespace, types }: ProviderPath,
): ProviderView | undefined {
  if (!isSubscription(scope)) return undefined;
  return viewAt(
    registry.providersOf(namespace).map(({ views }) => views),
    types,
  );
}

/** Returns the view of a resource type at a subscription path. The API versions of the type's provider apply. */
export function typeView(
  { registry }: Subscription,
  { scope, namespace, types }: ProviderPath,
): ProviderView | undefined {
  if (!isSubscription(scope)) return undefined;
  return viewAt(registry.typesIn(namespace).map(viewsOf), types);
}

/** Returns the provider view at a path that can begin with any scope. */
export function scopeView(
  { registry }: Subscription,
  { namespace, types }: ProviderPath,
): ScopeView | undefined {
  return viewAt(
    registry.providersOf(namespace).map(({ scopeViews }) => scopeViews),
    types,
  );
}

function isSubscription(scope: string): boolean {
  return scope.split("/").length === 3;
}

function viewAt<View>(all: readonly (Views<View> | undefined)[], types: readonly string[]): View | undefined {
  const path = keyOf(types.join("/"));
  for (const views of all) {
    const view = Object.entries(views ?? {}).find(([name]) => keyOf(name) === path)?.[1];
    if (view) return view;
  }
  return undefined;
}

function viewsOf(type: ResourceType): Views<ProviderView> {
  if (!type.globalName) return type.views ?? {};
  const check: ProviderView = {
    method: "POST",
    run: (_names, request, subscription) => checkNameAvailability(subscription, type, request),
  };
  return { checkNameAvailability: check, ...type.views };
}
