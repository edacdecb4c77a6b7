import type { JsonObject } from "@keelson/base";
import type { ArmRequest, ArmResponse } from "../arm/exchange.ts";
import { filterTerms } from "../arm/filter.ts";
import { normalizeLocation } from "../arm/locations.ts";
import { page } from "../arm/paging.ts";
import type { Subscription } from "../arm/subscription.ts";
import { type MachineSize, machineSizes } from "./machine-sizes.ts";

const zones = ["1", "2", "3"];

/** Handles `GET .../Microsoft.Compute/skus`. Lists the virtual machine sizes that the subscription can use, by location. */
export function listSkus(subscription: Subscription, request: ArmRequest): ArmResponse {
  const wanted = filterTerms(request.query.get("$filter")).get("location");
  const locations = subscription.locations.filter(
    (each) => wanted === undefined || normalizeLocation(wanted) === each,
  );
  const rows = locations.flatMap((location) =>
    machineSizes
      .map((size) => ({
        size,
        location,
        availability: subscription.settings.current.skus[location]?.[size.name],
      }))
      .filter(({ availability }) => availability !== "absent"),
  );
  return page(
    request,
    rows,
    ({ size, location }) => `${location}/${size.name}`.toLowerCase(),
    ({ size, location, availability }) => sku(size, location, availability === "restricted"),
    subscription.pageSize,
  );
}

function sku(
  { name, family, cores, memoryGB, encryptionAtHost }: MachineSize,
  location: string,
  restricted: boolean,
) {
  const [tier = "", ...rest] = name.split("_");
  const shown: JsonObject = {
    resourceType: "virtualMachines",
    name,
    tier,
    size: rest.join("_"),
    family,
    locations: [location],
    locationInfo: [{ location, zones, zoneDetails: [] }],
    capabilities: Object.entries({
      vCPUs: String(cores),
      vCPUsAvailable: String(cores),
      MemoryGB: String(memoryGB),
      PremiumIO: "True",
      AcceleratedNetworkingEnabled: "True",
      EncryptionAtHostSupported: encryptionAtHost ? "True" : "False",
      HyperVGenerations: "V1,V2",
    }).map(([capability, value]) => ({ name: capability, value })),
    restrictions: restricted
      ? [
          {
            type: "Location",
            values: [location],
            restrictionInfo: { locations: [location] },
            reasonCode: "NotAvailableForSubscription",
          },
        ]
      : [],
  };
  return shown;
}
