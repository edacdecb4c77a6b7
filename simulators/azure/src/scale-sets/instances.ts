import { randomUUID } from "node:crypto";
import type { JsonObject } from "@keelson/base";
import { removeResource } from "../arm/removal.ts";
import type { ResourceRecord } from "../arm/resource.ts";
import { type Subscription, timestamp } from "../arm/subscription.ts";
import { at, members, nonEmptyStringAt } from "../base/json.ts";
import { withPowerState } from "../compute/power/power-state.ts";

export const instanceType = "Microsoft.Compute/virtualMachineScaleSets/virtualMachines";

/** Properties of a scale set that its machines need. They are available even while the scale set is being written. */
type Set = Pick<ResourceRecord, "id" | "name" | "body">;

export function instancesOf(
  set: Pick<ResourceRecord, "id">,
  subscription: Subscription,
): readonly ResourceRecord[] {
  return subscription.resources
    .inCollection(`${set.id}/virtualMachines`)
    .toSorted((a, b) => instanceNumber(a) - instanceNumber(b));
}

export function capacityOf({ body }: Pick<ResourceRecord, "body">): number {
  const capacity = at(body, "sku", "capacity");
  return typeof capacity === "number" ? capacity : 0;
}

/**
 * Creates or deletes machines until the number of machines equals the capacity of the scale set. The newest machines are deleted
 * first.
 */
export function fitCapacity(set: Set, subscription: Subscription): void {
  const present = instancesOf(set, subscription);
  const wanted = capacityOf(set);
  for (const extra of present.slice(wanted)) removeResource(subscription, extra);
  const first = Math.max(-1, ...present.map(instanceNumber)) + 1;
  for (let made = 0; made < wanted - present.length; made++)
    subscription.resources.put(newInstance(set, first + made, subscription));
}

function newInstance(set: Set, number: number, subscription: Subscription): ResourceRecord {
  const now = timestamp(subscription);
  const profile = members(at(set.body, "properties", "virtualMachineProfile"));
  const prefix = nonEmptyStringAt(profile, "osProfile", "computerNamePrefix") ?? set.name;
  const computerName = `${prefix}${number.toString(36).toUpperCase().padStart(6, "0")}`;
  const body: JsonObject = {
    instanceId: String(number),
    sku: { name: nonEmptyStringAt(set.body, "sku", "name") ?? "", tier: "Standard" },
    properties: {
      latestModelApplied: true,
      vmId: subscription.newIds.next(`${set.id}/virtualMachines/${number}`, "vmId"),
      timeCreated: now,
      osProfile: {
        computerName,
        adminUsername: nonEmptyStringAt(profile, "osProfile", "adminUsername") ?? null,
      },
      networkProfileConfiguration: members(profile.networkProfile),
      provisioningState: "Succeeded",
    },
  };
  return withPowerState(
    {
      id: `${set.id}/virtualMachines/${number}`,
      name: `${set.name}_${number}`,
      type: instanceType,
      etag: randomUUID(),
      createdAt: now,
      changedAt: now,
      body,
      hidden: {},
    },
    "running",
  );
}

function instanceNumber({ body }: ResourceRecord): number {
  return Number(nonEmptyStringAt(body, "instanceId") ?? 0);
}
