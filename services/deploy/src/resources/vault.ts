import { call, type Expression, groupLocation, member, type Value } from "../template/expression.ts";
import type { Resource } from "../template/template.ts";

export interface VaultNetwork {
  readonly subnetIds: readonly Value[];
  /** Array in the form of Azure's `ipRules`. If it is empty, all addresses can reach the vault. */
  readonly ipRules: Expression;
}

/** Returns a key vault with role-based access and 90 days of soft delete. */
export function keyVault(name: Value, { subnetIds, ipRules }: VaultNetwork): Resource {
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
        defaultAction: call("if", call("empty", ipRules), "Allow", "Deny"),
        ipRules,
        virtualNetworkRules: subnetIds.map((id) => ({ id })),
      },
    },
  };
}
