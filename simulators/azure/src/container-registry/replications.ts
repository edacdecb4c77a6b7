import { badRequest } from "../arm/arm-error.ts";
import { parentId } from "../arm/arm-path.ts";
import type { ResourceType } from "../arm/resource-type.ts";
import { at, nonEmptyStringAt, withProperties } from "../base/json.ts";

/** Replications of a registry in other locations. */
export const replications: ResourceType = {
  namespace: "Microsoft.ContainerRegistry",
  type: "registries/replications",
  names: /^[A-Za-z0-9]{5,50}$/,
  readOnly: ["status"],
  checkDelete(replication, subscription) {
    const home = nonEmptyStringAt(subscription.resources.find(parentId(replication.id))?.body, "location");
    if (home !== nonEmptyStringAt(replication.body, "location")) return;
    throw badRequest(
      "CannotDeleteHomeReplication",
      `The replication ${replication.id} is the registry's own.`,
    );
  },
  prepare({ id, body }, subscription) {
    const registry = subscription.resources.find(parentId(id));
    if (nonEmptyStringAt(registry?.body, "sku", "name") !== "Premium") {
      throw badRequest(
        "OperationNotSupportedForSku",
        "Only registries of the sku Premium have replications.",
      );
    }
    const regionEndpointEnabled = at(body, "properties", "regionEndpointEnabled") ?? true;
    const zoneRedundancy = at(body, "properties", "zoneRedundancy") ?? "Disabled";
    return { body: withProperties(body, { regionEndpointEnabled, zoneRedundancy }) };
  },
};
