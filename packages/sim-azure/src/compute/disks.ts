import { randomUUID } from "node:crypto";
import type { JsonObject } from "@keelson/base";
import { ArmError, badRequest } from "../arm/arm-error.ts";
import type { ResourceType } from "../arm/resource-type.ts";
import { timestamp, type World } from "../arm/world.ts";
import { at, textAt, withProperties } from "../json.ts";

export const disks: ResourceType = {
  namespace: "Microsoft.Compute",
  type: "disks",
  statuses: { created: 200, creating: 202 },
  scope: "resourceGroup",
  location: "regional",
  etag: "none",
  names: /^[A-Za-z0-9_][\w.-]{0,79}$/,
  readOnly: ["diskState", "timeCreated", "uniqueId"],
  inUse: (record, by) =>
    new ArmError(409, "OperationNotAllowed", `Disk ${record.name} is attached to VM ${by[0]?.holder}.`),
  prepare({ body, existing }) {
    if (!existing && !textAt(body, "properties", "creationData", "createOption")) {
      throw badRequest("InvalidParameter", "Required parameter 'disk.creationData' is missing (null).");
    }
    return { body: withProperties(body, { diskSizeGB: at(body, "properties", "diskSizeGB") ?? 128 }) };
  },
  render(record, world) {
    const [user] = world.resources.referrers(record.id);
    const body = withProperties(record.body, { diskState: user ? "Attached" : "Unattached" });
    return user ? { ...body, managedBy: user.holder } : body;
  },
};

/** Makes the disk of a new machine, in the machine's own transaction, and says where it is. */
export function ensureOsDisk(
  machine: { id: string; name: string; groupPath: string; location: string; osDisk: JsonObject },
  world: World,
): JsonObject {
  const id =
    textAt(machine.osDisk, "managedDisk", "id") ??
    `${machine.groupPath}/providers/Microsoft.Compute/disks/${machine.name}`;
  const storageAccountType = textAt(machine.osDisk, "managedDisk", "storageAccountType") ?? "Premium_LRS";
  const diskSizeGB = at(machine.osDisk, "diskSizeGB") ?? 128;
  if (!world.resources.find(id)) {
    const now = timestamp(world);
    const properties = {
      ...{ diskSizeGB, osType: "Linux", timeCreated: now, provisioningState: "Succeeded" },
      creationData: { createOption: "FromImage" },
    };
    const body = { location: machine.location, sku: { name: storageAccountType }, properties };
    const type = "Microsoft.Compute/disks";
    world.resources.put({
      id,
      name: machine.name,
      type,
      etag: randomUUID(),
      createdAt: now,
      changedAt: now,
      body,
      hidden: {},
    });
  }
  return { diskSizeGB, osType: "Linux", managedDisk: { id, storageAccountType } };
}
