import type { JsonValue } from "@keelson/base";

export interface VaultRequest {
  readonly method: string;
  /** Path segments after `/vaults`: the vault name, then the path as in Azure. */
  readonly segments: readonly string[];
  readonly query: URLSearchParams;
  readonly authorization: string | undefined;
  readonly body: JsonValue | undefined;
  /** URLs of the vault and of the sign-in. */
  readonly vaultUrl: string;
  readonly loginUrl: string;
  /**
   * Base URL of object IDs. It contains the host name that the vault has in Azure, because clients parse IDs and reject other
   * hosts.
   */
  readonly idUrl: string;
}
