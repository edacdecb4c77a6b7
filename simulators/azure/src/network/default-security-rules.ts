import type { JsonObject } from "@keelson/base";

const rule = (
  name: string,
  priority: number,
  description: string,
  [from, to]: readonly [string, string],
): JsonObject => ({
  name,
  properties: {
    provisioningState: "Succeeded",
    description,
    protocol: "*",
    sourcePortRange: "*",
    destinationPortRange: "*",
    sourceAddressPrefix: from,
    destinationAddressPrefix: to,
    access: name.startsWith("Allow") ? "Allow" : "Deny",
    priority,
    direction: name.endsWith("InBound") ? "Inbound" : "Outbound",
    sourcePortRanges: [],
    destinationPortRanges: [],
    sourceAddressPrefixes: [],
    destinationAddressPrefixes: [],
  },
});

const rules: readonly JsonObject[] = [
  rule("AllowVnetInBound", 65_000, "Allow inbound traffic from all VMs in VNET", [
    "VirtualNetwork",
    "VirtualNetwork",
  ]),
  rule("AllowAzureLoadBalancerInBound", 65_001, "Allow inbound traffic from azure load balancer", [
    "AzureLoadBalancer",
    "*",
  ]),
  rule("DenyAllInBound", 65_500, "Deny all inbound traffic", ["*", "*"]),
  rule("AllowVnetOutBound", 65_000, "Allow outbound traffic from all VMs to all VMs in VNET", [
    "VirtualNetwork",
    "VirtualNetwork",
  ]),
  rule("AllowInternetOutBound", 65_001, "Allow outbound traffic from all VMs to Internet", ["*", "Internet"]),
  rule("DenyAllOutBound", 65_500, "Deny all outbound traffic", ["*", "*"]),
];

/** Returns the default rules of a security group. All other rules have a higher priority. */
export function defaultSecurityRulesOf(groupId: string): readonly JsonObject[] {
  const type = "Microsoft.Network/networkSecurityGroups/defaultSecurityRules";
  return rules.map((each) => ({ ...each, id: `${groupId}/defaultSecurityRules/${each.name}`, type }));
}
