import { type PlannedResource, symbolOf } from "./planned-resource.ts";

/** Index of a template's resources by the names that expressions use. */
export class ResourceIndex {
  readonly #byId = new Map<string, PlannedResource>();
  readonly #byName = new Map<string, PlannedResource[]>();

  constructor(resources: readonly PlannedResource[]) {
    for (const resource of resources) {
      this.#byId.set(resource.id.toLowerCase(), resource);
      const { type, name, symbol, loopName } = resource;
      const names = new Set(
        [symbolOf(resource), symbol, loopName, name, `${type}/${name}`, typeAndName(resource)].flatMap(
          (each) => each?.toLowerCase() ?? [],
        ),
      );
      for (const each of names) {
        const known = this.#byName.get(each);
        if (known) known.push(resource);
        else this.#byName.set(each, [resource]);
      }
    }
  }

  /**
   * Returns the resources that match `called`, which can be an ID, a symbolic name, a name with or without type, or a loop name.
   */
  find(called: string): readonly PlannedResource[] {
    const key = called.toLowerCase();
    if (!key.startsWith("/")) return this.#byName.get(key) ?? [];
    const found = this.#byId.get(key);
    return found ? [found] : [];
  }
}

/** Returns a resource ID without its scope, for example `Microsoft.Network/virtualNetworks/vnet/subnets/subnet`. */
function typeAndName({ id }: PlannedResource): string {
  return id.slice(id.lastIndexOf("/providers/") + "/providers/".length);
}
