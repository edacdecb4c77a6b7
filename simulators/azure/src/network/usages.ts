import type { Subscription } from "../arm/subscription.ts";
import type { Usage } from "../arm/usages.ts";
import { nonEmptyStringAt } from "../base/json.ts";

/** Name and display name of each network quota. The key is the resource type that the quota counts. */
const counted = {
  virtualNetworks: ["VirtualNetworks", "Virtual Networks"],
  networkSecurityGroups: ["NetworkSecurityGroups", "Network Security Groups"],
  publicIPAddresses: ["PublicIPAddresses", "Public IP Addresses"],
  networkInterfaces: ["NetworkInterfaces", "Network Interfaces"],
  loadBalancers: ["LoadBalancers", "Load Balancers"],
  routeTables: ["RouteTables", "Route Tables"],
  natGateways: ["NatGateways", "Nat Gateways"],
} as const satisfies Record<string, readonly [name: string, localizedName: string]>;

export function networkUsages(subscription: Subscription, location: string): readonly Usage[] {
  return Object.entries(counted).map(([type, [name, localizedName]]) => ({
    name,
    localizedName,
    current: subscription.resources
      .ofType(`Microsoft.Network/${type}`)
      .filter((each) => nonEmptyStringAt(each.body, "location") === location).length,
  }));
}
