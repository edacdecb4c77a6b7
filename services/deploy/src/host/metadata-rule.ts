import { imageUser, settingsDirectory } from "./parts.ts";

/** nftables file that blocks the instance metadata service (IMDS) and therefore access to the machine's identity. */
export const metadataRuleFile = `${settingsDirectory}/metadata.nft`;

/**
 * nftables rule that allows only root and the image's user to access IMDS. Root signs podman in to the registry. The image's user
 * reads the vault.
 */
export const metadataRule = `table inet keelson_metadata
delete table inet keelson_metadata
table inet keelson_metadata {
  chain output {
    type filter hook output priority filter; policy accept;
    ip daddr 169.254.169.254 meta skuid != { 0, ${imageUser} } reject
  }
}
`;
