import { type PlannedResource, symbolOf } from "./planned-resource.ts";

/** Finds the resources of a template by their names in expressions. */
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

  /** Finds by ID, by symbolic name, by name with or without the type, or by loop. */
  find(called: string): readonly PlannedResource[] {
    const key = called.toLowerCase();
    if (!key.startsWith("/")) return this.#byName.get(key) ?? [];
    const found = this.#byId.get(key);
    return found ? [found] : [];
  }
}

/** `Microsoft.Network/virtualNetworks/vnet/subnets/subnet`, the suffix of the ID. */
function typeAndName({ id }: PlannedResource): string {
  return id.slice(id.lastIndexOf("/providers/") + "/providers/".length);
}
