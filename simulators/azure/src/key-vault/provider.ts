import type { ArmProvider } from "../arm/provider.ts";
import { vaultSecrets } from "./vault-secret-resources.ts";
import { vaults } from "./vaults.ts";

export const keyVaultProvider: ArmProvider = {
  namespace: "Microsoft.KeyVault",
  types: [vaults, vaultSecrets],
  firstApiVersion: "2014-12-19",
};
