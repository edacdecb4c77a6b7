import { badRequest } from "../arm/arm-error.ts";
import type { ResourceType } from "../arm/resource-type.ts";
import { timestamp } from "../arm/subscription.ts";
import { at, nonEmptyStringAt, withProperties } from "../base/json.ts";
import { guidOf } from "../entra/credentials.ts";

/** Disk snapshots. The simulation stores no content for snapshots and disks. */
export const snapshots: ResourceType = {
  namespace: "Microsoft.Compute",
  type: "snapshots",
  statuses: { created: 200, creating: 202 },
  names: /^[A-Za-z0-9_][\w.-]{0,79}$/,
  readOnly: ["diskState", "timeCreated", "uniqueId", "diskSizeBytes"],
  prepare({ id, name, body, existing }, subscription) {
    const source = nonEmptyStringAt(body, "properties", "creationData", "sourceResourceId");
    const option = nonEmptyStringAt(body, "properties", "creationData", "createOption");
    if (option === undefined) {
      throw badRequest("InvalidParameter", `Snapshot ${name} needs 'properties.creationData.createOption'.`);
    }
    const disk = source === undefined ? undefined : subscription.resources.find(source);
    if (option === "Copy" && !disk && !existing) {
      throw badRequest(
        "ResourceNotFound",
        `The source ${source ?? "(none)"} of snapshot ${name} was not found.`,
      );
    }
    const size = at(body, "properties", "diskSizeGB") ?? at(disk?.body, "properties", "diskSizeGB") ?? 128;
    return {
      body: {
        ...withProperties(body, {
          diskSizeGB: size,
          ...(typeof size === "number" ? { diskSizeBytes: size * 2 ** 30 } : {}),
          diskState: "Unattached",
          incremental: at(body, "properties", "incremental") ?? false,
          timeCreated: existing?.createdAt ?? timestamp(subscription),
          uniqueId: guidOf(id),
        }),
        sku: { name: nonEmptyStringAt(body, "sku", "name") ?? "Standard_LRS", tier: "Standard" },
      },
    };
  },
};
