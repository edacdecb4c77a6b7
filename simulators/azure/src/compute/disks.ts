import type { JsonObject } from "@keelson/base";
import { ArmError, badRequest } from "../arm/arm-error.ts";
import { newRecord } from "../arm/new-record.ts";
import type { ResourceType } from "../arm/resource-type.ts";
import { type Subscription, timestamp } from "../arm/subscription.ts";
import { at, nonEmptyStringAt, withProperties } from "../base/json.ts";

export const disks: ResourceType = {
  namespace: "Microsoft.Compute",
  type: "disks",
  statuses: { created: 200, creating: 202 },
  names: /^[A-Za-z0-9_][\w.-]{0,79}$/,
  readOnly: ["diskState", "timeCreated", "uniqueId"],
  inUse: (record, by) =>
    new ArmError(409, "OperationNotAllowed", `Disk ${record.name} is attached to VM ${by[0]?.holder}.`),
  prepare({ body, existing }) {
    if (!existing && !nonEmptyStringAt(body, "properties", "creationData", "createOption")) {
      throw badRequest("InvalidParameter", "Required parameter 'disk.creationData' is missing (null).");
    }
    return { body: withProperties(body, { diskSizeGB: at(body, "properties", "diskSizeGB") ?? 128 }) };
  },
  render(record, subscription) {
    const [user] = subscription.resources.referrers(record.id);
    const body = withProperties(record.body, { diskState: user ? "Attached" : "Unattached" });
    return user ? { ...body, managedBy: user.holder } : body;
  },
};

/** Disk in a machine's definition, with the group and location in which the disk is created. */
export interface MachineDisk {
  readonly name: string;
  readonly groupPath: string;
  readonly location: string;
  readonly wanted: JsonObject;
  /** Operating system type. Undefined for a disk that is not bootable. */
  readonly osType?: string;
}

/**
 * Creates a disk of a machine if the disk does not exist. The disk and the machine are written in one transaction. Returns the
 * reference to the disk.
 */
export function ensureDisk(disk: MachineDisk, subscription: Subscription): JsonObject {
  const { wanted, name, osType } = disk;
  const id =
    nonEmptyStringAt(wanted, "managedDisk", "id") ??
    `${disk.groupPath}/providers/Microsoft.Compute/disks/${name}`;
  const storageAccountType = nonEmptyStringAt(wanted, "managedDisk", "storageAccountType") ?? "Premium_LRS";
  const diskSizeGB = at(wanted, "diskSizeGB") ?? 128;
  const ofSystem = osType === undefined ? {} : { osType };
  if (!subscription.resources.find(id)) {
    const now = timestamp(subscription);
    const properties = {
      ...{ diskSizeGB, ...ofSystem, timeCreated: now, provisioningState: "Succeeded" },
      creationData: { createOption: osType === undefined ? "Empty" : "FromImage" },
    };
    const body = { location: disk.location, sku: { name: storageAccountType }, properties };
    subscription.resources.put(newRecord(subscription, { id, type: "Microsoft.Compute/disks", body }));
  }
  return { diskSizeGB, ...ofSystem, managedDisk: { id, storageAccountType } };
}
