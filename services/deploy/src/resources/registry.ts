import { groupLocation, type Value } from "../template/expression.ts";
import type { Resource } from "../template/template.ts";

/** Returns the registry for the service's own images. The premium tier is required for replicas. */
export function containerRegistry(name: Value, location: Value = groupLocation): Resource {
  return {
    type: "Microsoft.ContainerRegistry/registries",
    name: [name],
    location,
    sku: { name: "Premium" },
    properties: { adminUserEnabled: false, anonymousPullEnabled: false, dataEndpointEnabled: true },
  };
}

export function registryReplication(registry: Value, location: Value): Resource {
  return {
    type: "Microsoft.ContainerRegistry/registries/replications",
    name: [registry, location],
    location,
    properties: {},
  };
}
