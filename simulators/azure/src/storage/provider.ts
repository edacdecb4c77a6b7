import { lastSegment, parentId } from "../arm/arm-path.ts";
import type { ArmProvider } from "../arm/provider.ts";
import { blobContainers, blobServices } from "./blob-services.ts";
import type { Blobs } from "./blob-store.ts";
import { storageAccounts } from "./storage-accounts.ts";

/** Returns the storage provider. Deleting a container resource deletes its blobs. */
export function storageProvider(blobs: Blobs): ArmProvider {
  const containers = {
    ...blobContainers,
    removed: ({ id, name }: { readonly id: string; readonly name: string }) =>
      blobs.deleteContainer(lastSegment(parentId(parentId(id))), name),
  };
  return {
    namespace: "Microsoft.Storage",
    types: [storageAccounts, blobServices, containers],
    firstApiVersion: "2015-05-01",
  };
}
