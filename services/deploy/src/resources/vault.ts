import { call, groupLocation, member, type Value } from "../template/expression.ts";
import type { Resource } from "../template/template.ts";

/** A vault with role-based access, and soft delete for 90 days. */
export function keyVault(name: Value, subnetIds: readonly Value[]): Resource {
  return {
    type: "Microsoft.KeyVault/vaults",
    name: [name],
    location: groupLocation,
    properties: {
      tenantId: member(call("subscription"), "tenantId"),
      sku: { family: "A", name: "standard" },
      accessPolicies: [],
      enableRbacAuthorization: true,
      enableSoftDelete: true,
      enablePurgeProtection: true,
      softDeleteRetentionInDays: 90,
      networkAcls: {
        bypass: "AzureServices",
        defaultAction: "Allow",
        virtualNetworkRules: subnetIds.map((id) => ({ id })),
      },
    },
  };
}
