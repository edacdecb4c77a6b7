import type { ResourceRecord } from "./resource.ts";
import type { Subscription } from "./subscription.ts";

/** Removes a resource with its children and extensions. Calls the `removed` hook of the type of each removed resource. */
export function removeResource(subscription: Subscription, record: ResourceRecord): void {
  for (const each of [...subscription.resources.below(record), record]) {
    subscription.resources.remove(each);
    subscription.registry.typeOf(each).removed?.(each, subscription);
  }
}
