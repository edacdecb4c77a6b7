import type { JsonObject } from "@keelson/base";
import { textAt } from "../json.ts";
import { ArmError, badRequest } from "./arm-error.ts";
import { groupIdOf } from "./arm-path.ts";
import type { ResourceRecord } from "./resource.ts";
import type { ResourceType } from "./resource-type.ts";
import type { Subscription } from "./subscription.ts";

/** `East US 2` and `eastus2` are the same place. */
export function normalizeLocation(location: string): string {
  return location.toLowerCase().replaceAll(" ", "");
}

/**
 * `body` with the place that its type asks for, in its short name. A resource stays where it was created.
 * @throws ArmError
 */
export function withLocation(
  subscription: Subscription,
  target: { readonly type: ResourceType; readonly id: string; readonly name: string },
  existing: ResourceRecord | undefined,
  body: JsonObject,
): JsonObject {
  const kind = target.type.location;
  if (kind === "none") return body;
  const current = textAt(existing?.body, "location");
  const wanted = textAt(body, "location") ?? current;
  if (wanted === undefined) {
    throw badRequest("LocationRequired", "The location property is required for this definition.");
  }
  const location = normalizeLocation(wanted);
  const available = kind === "global" ? ["global"] : subscription.locations;
  if (!available.includes(location)) {
    throw badRequest(
      "LocationNotAvailableForResourceType",
      `The provided location '${wanted}' is not available for resource type '${target.type.namespace}/${target.type.type}'. List of available regions for the resource type is '${available.join(",")}'.`,
    );
  }
  if (current !== undefined && current !== location) {
    throw new ArmError(
      409,
      "InvalidResourceLocation",
      `The resource '${target.name}' already exists in location '${current}' in resource group '${groupIdOf(target.id)?.split("/").at(-1)}'. A resource with the same name cannot be created in location '${location}'. Please select a new resource name.`,
    );
  }
  return { ...body, location };
}
