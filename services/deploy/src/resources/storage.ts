import { groupLocation, type Value } from "../template/expression.ts";
import type { Resource } from "../template/template.ts";

/** Returns a storage account. Its blobs are readable only through its static website. */
export function storageAccount(name: Value, location: Value = groupLocation): Resource {
  return {
    type: "Microsoft.Storage/storageAccounts",
    name: [name],
    location,
    kind: "StorageV2",
    sku: { name: "Standard_ZRS" },
    properties: {
      accessTier: "Hot",
      allowBlobPublicAccess: false,
      allowSharedKeyAccess: false,
      minimumTlsVersion: "TLS1_2",
      supportsHttpsTrafficOnly: true,
    },
  };
}
