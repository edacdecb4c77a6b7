/** Returns `spec.encryption.kms` of APIServer `cluster` with a plugin for HashiCorp Vault. */
export function vaultPlugin(change: object = {}) {
  return {
    type: "Vault",
    vault: {
      kmsPluginImage: "registry.example/plugin@sha256:1",
      vaultAddress: "https://vault.example:8200",
      vaultKeyPath: "transit/keys/k",
      authentication: { type: "AppRole", appRole: { secret: { name: "role" } } },
      ...change,
    },
  };
}
