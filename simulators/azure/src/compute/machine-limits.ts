import { ArmError } from "../arm/arm-error.ts";
import type { Subscription } from "../arm/subscription.ts";
import { findMachineSize } from "./machine-sizes.ts";
import { computeUsages } from "./usages.ts";

/** Machine that a request creates or resizes. The settings can restrict machine sizes and quota in the machine's location. */
export interface WantedMachine {
  readonly location: string;
  readonly size: string;
  /** Current size of the machine. Undefined for a new machine. */
  readonly before: string | undefined;
}

/**
 * Checks that the settings permit a machine size.
 * @throws ArmError 409 SkuNotAvailable, or OperationNotAllowed for an exhausted quota
 */
export function checkMachineLimits(subscription: Subscription, wanted: WantedMachine): void {
  const { location, size, before } = wanted;
  if (size === before) return;
  const { skus, quotas } = subscription.settings.current;
  const availability = skus[location]?.[size];
  if (availability === "restricted" || availability === "absent") {
    throw new ArmError(
      409,
      "SkuNotAvailable",
      `The requested VM size for resource 'Following SKUs have failed for Capacity Restrictions: ${size}' is currently not available in location '${location}'. Please try another size or deploy to a different location or different zone. See https://aka.ms/azureskunotavailable for details.`,
    );
  }
  const limits = quotas[location];
  if (limits) checkQuotas(subscription, wanted, limits);
}

function checkQuotas(
  subscription: Subscription,
  { location, size, before }: WantedMachine,
  limits: Readonly<Record<string, number>>,
): void {
  const [now, then] = [findMachineSize(size), findMachineSize(before ?? "")];
  const more = new Map([
    ["cores", (now?.cores ?? 0) - (then?.cores ?? 0)],
    [now?.family ?? "", (now?.cores ?? 0) - (then?.family === now?.family ? (then?.cores ?? 0) : 0)],
    ["virtualMachines", before === undefined ? 1 : 0],
  ]);
  for (const { name, current } of computeUsages(subscription, location)) {
    const [limit, required] = [limits[name], more.get(name) ?? 0];
    if (limit === undefined || required <= 0 || current + required <= limit) continue;
    const quota =
      name === "cores" ? "Total Regional Cores" : name === "virtualMachines" ? name : `${name} Cores`;
    throw new ArmError(
      409,
      "OperationNotAllowed",
      `Operation could not be completed as it results in exceeding approved ${quota} quota. Additional details - Deployment Model: Resource Manager, Location: ${location}, Current Limit: ${limit}, Current Usage: ${current}, Additional Required: ${required}, (Minimum) New Limit Required: ${current + required}. Please read more about quota limits at https://aka.ms/azurequotalimits.`,
    );
  }
}
