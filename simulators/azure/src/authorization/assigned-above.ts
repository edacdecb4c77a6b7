import type { ResourceRecord } from "../arm/resource.ts";
import type { Subscription } from "../arm/subscription.ts";

/**
 * The resources of a type that extend a scope or one above it: deny assignments, locks, assignments of policies, by an
 * index of scopes.
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
