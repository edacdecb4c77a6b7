import type { JsonObject } from "@keelson/base";
import { ArmError, badRequest } from "../arm/arm-error.ts";
import { keyOf, lastSegment } from "../arm/arm-path.ts";
import { ok } from "../arm/exchange.ts";
import { normalizeLocation } from "../arm/locations.ts";
import type { ProviderView } from "../arm/provider.ts";
import type { ResourceType } from "../arm/resource-type.ts";
import type { Subscription } from "../arm/subscription.ts";
import { members, nonEmptyStringAt, without } from "../base/json.ts";

/** Virtual machine extensions. The simulation does not run them. Responses omit their protected settings. */
export const machineExtensions: ResourceType = {
  namespace: "Microsoft.Compute",
  type: "virtualMachines/extensions",
  names: /^[A-Za-z0-9_][\w.-]{0,79}$/,
  readOnly: ["instanceView"],
  prepare({ name, body }) {
    for (const member of ["publisher", "type"]) {
      if (nonEmptyStringAt(body, "properties", member)) continue;
      throw badRequest("InvalidParameter", `Extension ${name} needs 'properties.${member}'.`);
    }
    const properties = without(members(body.properties), ["protectedSettings"]);
    return { body: { ...body, properties: { autoUpgradeMinorVersion: false, ...properties } } };
  },
};

/** Available extensions: publisher, type and newest version. */
const known: readonly (readonly [publisher: string, type: string, version: string])[] = [
  ["Microsoft.Azure.ActiveDirectory", "AADSSHLoginForLinux", "1.0.3054.1"],
  ["Microsoft.Azure.Extensions", "CustomScript", "2.1.13"],
  ["Microsoft.Azure.Monitor", "AzureMonitorLinuxAgent", "1.35.9"],
  ["Microsoft.OSTCExtensions", "VMAccessForLinux", "1.5.20"],
];

export const extensionPublishers: readonly string[] = known.map(([publisher]) => publisher);

/**
 * Views of extension types and versions: `locations/eastus/publishers/{publisher}/artifacttypes/vmextension/types` and
 * `.../versions`.
 */
export const extensionVersionViews: Readonly<Record<string, ProviderView>> = {
  "locations/publishers/artifacttypes/types": {
    method: "GET",
    run([place = "", publisher = ""], _request, subscription) {
      const found = known.filter(([by]) => keyOf(by) === keyOf(publisher));
      if (found.length === 0) throw notThere(publisher);
      return ok(
        found.map(([by, type]) =>
          shown(subscription, place, `${by}/ArtifactTypes/VMExtension/Types/${type}`),
        ),
      );
    },
  },
  "locations/publishers/artifacttypes/types/versions": {
    method: "GET",
    run([place = "", publisher = "", , type = ""], _request, subscription) {
      const found = known.filter(([by, of]) => keyOf(by) === keyOf(publisher) && keyOf(of) === keyOf(type));
      if (found.length === 0) throw notThere(`${publisher}/${type}`);
      return ok(
        found.map(([by, of, version]) =>
          shown(subscription, place, `${by}/ArtifactTypes/VMExtension/Types/${of}/Versions/${version}`),
        ),
      );
    },
  },
};

function shown(subscription: Subscription, place: string, path: string): JsonObject {
  const location = normalizeLocation(place);
  const root = `/Subscriptions/${subscription.subscriptionId}/Providers/Microsoft.Compute/Locations/${location}`;
  return { location, name: lastSegment(path), id: `${root}/Publishers/${path}` };
}

function notThere(what: string): ArmError {
  return new ArmError(404, "NotFound", `Artifact: VMExtension ${what} was not found.`);
}
