import type { ResourceRecord } from "../arm/resource.ts";
import type { Subscription } from "../arm/subscription.ts";

/**
 * Returns the extension resources of a type at a scope and at its parent scopes, for example locks. Reads only the collection
 * index.
 */
export function assignedAbove(
  subscription: Subscription,
  type: string,
  scope: string,
): readonly ResourceRecord[] {
  const segments = scope.split("/");
  return segments.flatMap((_, index) =>
    subscription.resources.inCollection(`${segments.slice(0, index + 1).join("/")}/providers/${type}`),
  );
}
