import { call, type Expression, groupLocation, member, type Value } from "../template/expression.ts";
import type { Resource } from "../template/template.ts";

export interface VaultNetwork {
  readonly subnetIds: readonly Value[];
  /** Array of Azure's `ipRules`. If it is empty, the vault is reachable from all addresses. */
  readonly ipRules: Expression;
}

/** Vault with role-based access and soft delete for 90 days. */
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
