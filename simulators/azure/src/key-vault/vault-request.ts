import type { JsonValue } from "@keelson/base";

export interface VaultRequest {
  readonly method: string;
  /** After `/vaults`: the vault's name, then the path as a vault of Azure has it. */
  readonly segments: readonly string[];
  readonly query: URLSearchParams;
  readonly authorization: string | undefined;
  readonly body: JsonValue | undefined;
  /** Under which the client has the vault, and where it signs in. */
  readonly vaultUrl: string;
  readonly loginUrl: string;
  /** The start of IDs: the host that the vault would have in Azure, since clients take IDs apart and refuse others. */
  readonly idUrl: string;
}
