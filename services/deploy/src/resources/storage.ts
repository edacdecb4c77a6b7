import { groupLocation, type Value } from "../template/expression.ts";
import type { Resource } from "../template/template.ts";

/** Returns a storage account. Its static website is the only public access to blobs. */
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
