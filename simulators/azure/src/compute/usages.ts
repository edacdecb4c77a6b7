import type { Subscription } from "../arm/subscription.ts";
import type { Usage } from "../arm/usages.ts";
import { nonEmptyStringAt } from "../base/json.ts";
import { instancesOf } from "../scale-sets/instances.ts";
import { findMachineSize, machineFamilies } from "./machine-sizes.ts";

/** Returns the quota usage by machines and disks in a location. Stopped machines count, as in Azure. */
export function computeUsages(subscription: Subscription, location: string): readonly Usage[] {
  const here = (type: string) =>
    subscription.resources
      .ofType(`Microsoft.Compute/${type}`)
      .filter((each) => nonEmptyStringAt(each.body, "location") === location);
  const sizes = [
    ...here("virtualMachines").map((each) =>
      nonEmptyStringAt(each.body, "properties", "hardwareProfile", "vmSize"),
    ),
    ...here("virtualMachineScaleSets").flatMap((set) =>
      instancesOf(set, subscription).map(() => nonEmptyStringAt(set.body, "sku", "name")),
    ),
  ].map((name) => findMachineSize(name ?? ""));
  const cores = (family?: string) =>
    sizes.reduce(
      (sum, size) => sum + (size && (family === undefined || size.family === family) ? size.cores : 0),
      0,
    );
  const premium = here("disks").filter(
    (each) => nonEmptyStringAt(each.body, "sku", "name") === "Premium_LRS",
  );
  return [
    { name: "cores", localizedName: "Total Regional vCPUs", current: cores() },
    { name: "virtualMachines", localizedName: "Virtual Machines", current: sizes.length },
    { name: "PremiumDiskCount", localizedName: "Premium Storage Managed Disks", current: premium.length },
    ...machineFamilies.map((name) => ({ name, localizedName: `${name} vCPUs`, current: cores(name) })),
  ];
}
