import type { ResourceRecord } from "../arm/resource.ts";
import type { Subscription } from "../arm/subscription.ts";

/**
 * Returns extension resources of a type at a scope and its parent scopes, such as deny assignments, locks and policy assignments.
 * Uses the collection index.
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
