import { type ArmResponse, ok } from "../arm/exchange.ts";
import { normalizeLocation } from "../arm/locations.ts";
import type { Subscription } from "../arm/subscription.ts";
import { machineSizes } from "./machine-sizes.ts";

/**
 * Returns the response to `GET .../locations/{location}/vmSizes`: the machine sizes in a location. A machine in this location can
 * be resized to each of these sizes.
 */
export function sizesIn(location: string | undefined, subscription: Subscription): ArmResponse {
  const skus = subscription.settings.current.skus[normalizeLocation(location ?? "")] ?? {};
  const value = machineSizes
    .filter(({ name }) => skus[name] !== "absent")
    .map(({ name, cores, memoryGB }) => ({
      name,
      numberOfCores: cores,
      osDiskSizeInMB: 1_047_552,
      resourceDiskSizeInMB: 0,
      memoryInMB: memoryGB * 1_024,
      maxDataDiskCount: Math.min(64, cores * 2),
    }));
  return ok({ value });
}
