import { groupLocation, type Value } from "../template/expression.ts";
import type { Resource } from "../template/template.ts";

/** An account whose blobs are read through its website alone. */
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
