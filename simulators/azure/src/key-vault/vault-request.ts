import type { JsonValue } from "@keelson/base";

export interface VaultRequest {
  readonly method: string;
  /** Segments after `/vaults`: the vault's name, then the path of Azure's vaults. */
  readonly segments: readonly string[];
  readonly query: URLSearchParams;
  readonly authorization: string | undefined;
  readonly body: JsonValue | undefined;
  /** Addresses of the vault and of the sign-in. */
  readonly vaultUrl: string;
  readonly loginUrl: string;
  /** Base of IDs: the vault's host in Azure, because clients parse IDs and reject others. */
  readonly idUrl: string;
}
