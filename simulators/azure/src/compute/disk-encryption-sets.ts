import { ArmError, badRequest } from "../arm/arm-error.ts";
import type { ResourceType } from "../arm/resource-type.ts";
import { referrerIds } from "../arm/resources.ts";
import { members, nonEmptyStringAt, withProperties } from "../base/json.ts";
import { guidOf } from "../entra/credentials.ts";
import { Directory } from "../entra/directory.ts";

/** Disk encryption sets with customer-managed keys. The key is not read, so the key vault need not be simulated. */
export const diskEncryptionSets: ResourceType = {
  namespace: "Microsoft.Compute",
  type: "diskEncryptionSets",
  statuses: { created: 200, creating: 202 },
  names: /^[\w.-]{1,80}$/,
  readOnly: ["previousKeys", "lastKeyRotationTimestamp"],
  inUse: (record, by) =>
    new ArmError(
      409,
      "OperationNotAllowed",
      `Disk encryption set ${record.name} is used by ${referrerIds(by)} and cannot be deleted.`,
    ),
  prepare({ id, name, body, existing }, subscription) {
    if (!nonEmptyStringAt(body, "properties", "activeKey", "keyUrl")) {
      throw badRequest(
        "InvalidParameter",
        `Disk encryption set ${name} needs 'properties.activeKey.keyUrl'.`,
      );
    }
    const identity = members(body.identity);
    const principalId =
      nonEmptyStringAt(existing?.body, "identity", "principalId") ??
      subscription.newIds.next(id, "principalId");
    return {
      body: {
        ...withProperties(body, {
          encryptionType:
            nonEmptyStringAt(body, "properties", "encryptionType") ?? "EncryptionAtRestWithCustomerKey",
        }),
        identity: { type: "SystemAssigned", ...identity, principalId, tenantId: subscription.tenantId },
      },
    };
  },
  created({ id, name, body }, { store }) {
    const objectId = nonEmptyStringAt(body, "identity", "principalId") ?? "";
    const clientId = guidOf(objectId);
    new Directory(store).put({ clientId, objectId, displayName: name, identityId: id, passwords: [] });
  },
  removed({ body }, { store }) {
    new Directory(store).remove(guidOf(nonEmptyStringAt(body, "identity", "principalId") ?? ""));
  },
};
