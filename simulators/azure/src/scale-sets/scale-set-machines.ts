import type { JsonObject } from "@keelson/base";
import { ArmError } from "../arm/arm-error.ts";
import { parentId } from "../arm/arm-path.ts";
import { ok } from "../arm/exchange.ts";
import type { ResourceRecord } from "../arm/resource.ts";
import type { ResourceType } from "../arm/resource-type.ts";
import type { Subscription } from "../arm/subscription.ts";
import { nonEmptyStringAt } from "../base/json.ts";
import { powerAction, powerAfter, powerStatuses } from "../compute/power/power-actions.ts";
import { withPowerState } from "../compute/power/power-state.ts";
import { healthOf } from "./instance-health.ts";
import { capacityOf } from "./instances.ts";
import { runCommand } from "./run-command.ts";

/** Machines of scale sets. A scale set creates its machines. Clients can read, start, stop and delete machines. */
export const scaleSetMachines: ResourceType = {
  namespace: "Microsoft.Compute",
  type: "virtualMachineScaleSets/virtualMachines",
  location: "none",
  names: /^\d+$/,
  duration: { delete: (subscription) => subscription.timings.vmDeleteMs },
  actions: {
    ...Object.fromEntries(
      ["start", "restart", "powerOff", "deallocate", "redeploy", "reimage"].map((name) => [
        name,
        powerAction(name),
      ]),
    ),
    runCommand: { method: "POST", run: runCommand },
    instanceView: {
      method: "GET",
      run: (record, _request, subscription) =>
        ok(instanceView(record, setOf(record, subscription), subscription)),
    },
  },
  prepare({ id, body, existing }) {
    if (existing) return { body };
    throw new ArmError(
      409,
      "OperationNotAllowed",
      `The machine ${id} is not there: raise the capacity of its scale set to have another.`,
    );
  },
  settled(record, action) {
    const started = powerAfter[action] === "running" ? { ...record.hidden, stoppedUnits: [] } : record.hidden;
    const power = powerAfter[action];
    const after = { ...record, hidden: started };
    return power === undefined ? after : withPowerState(after, power);
  },
  removed(record, subscription) {
    const set = subscription.resources.find(parentId(record.id));
    if (!set || capacityOf(set) === 0) return;
    const sku = { ...(typeof set.body.sku === "object" ? set.body.sku : {}), capacity: capacityOf(set) - 1 };
    subscription.resources.put({ ...set, body: { ...set.body, sku } });
  },
  render: (record, subscription) => ({
    ...record.body,
    location: nonEmptyStringAt(setOf(record, subscription).body, "location") ?? "",
  }),
};

function setOf(instance: ResourceRecord, subscription: Subscription): ResourceRecord {
  const set = subscription.resources.find(parentId(instance.id));
  if (set) return set;
  throw new ArmError(404, "ResourceNotFound", `The scale set of ${instance.id} was not found.`);
}

function instanceView(record: ResourceRecord, set: ResourceRecord, subscription: Subscription): JsonObject {
  const vmHealth = healthOf(record, set, subscription);
  return { ...(vmHealth ? { vmHealth } : {}), statuses: powerStatuses(record) };
}
