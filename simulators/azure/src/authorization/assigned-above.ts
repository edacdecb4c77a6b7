import type { ResourceRecord } from "../arm/resource.ts";
import type { World } from "../arm/world.ts";

/**
 * The resources of a type that extend a scope or one above it: deny assignments, locks, assignments of policies. Looked
 * up by scope, so that what others have costs nothing.
 */
export function assignedAbove(world: World, type: string, scope: string): readonly ResourceRecord[] {
  const segments = scope.split("/");
  return segments.flatMap((_, index) =>
    world.resources.inCollection(`${segments.slice(0, index + 1).join("/")}/providers/${type}`),
  );
}
