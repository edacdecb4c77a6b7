import type { ResourceRecord } from "./resource.ts";
import type { World } from "./world.ts";

/** Removes a resource with its children and extensions, and lets their types clean up. */
export function removeResource(world: World, record: ResourceRecord): void {
  for (const each of [...world.resources.below(record), record]) {
    world.resources.remove(each);
    world.registry.typeOf(each).removed?.(each, world);
  }
}
