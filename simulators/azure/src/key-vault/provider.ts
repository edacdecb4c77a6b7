import type { ArmProvider } from "../arm/provider.ts";
import { vaultAccessPolicies } from "./access-policies.ts";
import { vaultSecrets } from "./vault-secret-resources.ts";
import { vaults } from "./vaults.ts";

export const keyVaultProvider: ArmProvider = {
  namespace: "Microsoft.KeyVault",
  types: [vaults, vaultAccessPolicies, vaultSecrets],
  firstApiVersion: "2014-12-19",
};
