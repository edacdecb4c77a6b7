import { ArmError, badRequest } from "../arm/arm-error.ts";
import { parentId } from "../arm/arm-path.ts";
import type { ResourceType } from "../arm/resource-type.ts";
import { at, nonEmptyStringAt, withProperties } from "../base/json.ts";

/** Blob services. Each account has exactly one blob service, which is named `default` and is created with the account. */
export const blobServices: ResourceType = {
  namespace: "Microsoft.Storage",
  type: "storageAccounts/blobServices",
  location: "none",
  provisioningState: false,
  names: /^default$/i,
  checkDelete() {
    throw new ArmError(405, "HttpMethodNotAllowed", "The blob service goes with its account.");
  },
  prepare: ({ body }) => ({ body }),
};

/** Valid container names, including Azure's reserved names. */
export const containerName = /^(\$root|\$web|\$logs|(?=.{3,63}$)[a-z0-9]+(-[a-z0-9]+)*)$/;

export const blobContainers: ResourceType = {
  namespace: "Microsoft.Storage",
  type: "storageAccounts/blobServices/containers",
  location: "none",
  etag: "plain",
  provisioningState: false,
  names: containerName,
  readOnly: ["lastModifiedTime", "leaseState", "leaseStatus", "hasImmutabilityPolicy", "hasLegalHold"],
  prepare({ id, body, existing }, subscription) {
    const account = subscription.resources.find(parentId(parentId(id)));
    const publicAccess = nonEmptyStringAt(body, "properties", "publicAccess") ?? "None";
    const allowed = at(account?.body, "properties", "allowBlobPublicAccess") === true;
    if (publicAccess !== "None" && !allowed) {
      throw badRequest("PublicAccessNotPermitted", "Public access is not permitted on this storage account.");
    }
    return {
      body: withProperties(body, {
        publicAccess,
        metadata: at(body, "properties", "metadata") ?? at(existing?.body, "properties", "metadata") ?? {},
        defaultEncryptionScope: "$account-encryption-key",
        denyEncryptionScopeOverride: false,
        leaseState: "Available",
        leaseStatus: "Unlocked",
        hasImmutabilityPolicy: false,
        hasLegalHold: false,
      }),
    };
  },
  render: ({ body, changedAt }) => withProperties(body, { lastModifiedTime: changedAt }),
};
