import type { JsonObject } from "@keelson/base";
import { keyOf } from "../arm/arm-path.ts";
import type { ResourceRecord } from "../arm/resource.ts";
import type { Subscription } from "../arm/subscription.ts";
import { at, nonEmptyStringAt, objectsAt } from "../base/json.ts";
import { powerStateOf } from "../compute/power/power-state.ts";

/** Returns the systemd units that were stopped by commands on the machine. */
export function stoppedUnits(instance: ResourceRecord): readonly string[] {
  const { stoppedUnits: units } = instance.hidden;
  return Array.isArray(units) ? units.filter((each) => typeof each === "string") : [];
}

/**
 * Returns the health of a machine. Returns `undefined` if its scale set has neither a health extension nor a probe. A machine is
 * unhealthy if it is off, if a systemd unit is stopped, or if its machine host reports a problem. The settings can also mark a
 * machine or its scale set as unhealthy.
 */
export function healthOf(
  instance: ResourceRecord,
  set: ResourceRecord,
  subscription: Subscription,
): JsonObject | undefined {
  if (!isWatched(set)) return undefined;
  const isUnhealthy =
    !isServing(instance, set, subscription) ||
    subscription.machineHost?.isHealthy(keyOf(instance.id)) === false;
  return {
    status: {
      code: `HealthState/${isUnhealthy ? "unhealthy" : "healthy"}`,
      level: isUnhealthy ? "Error" : "Info",
      displayStatus: `The VM is reporting itself as ${isUnhealthy ? "unhealthy" : "healthy"}`,
      time: instance.changedAt,
    },
  };
}

/**
 * True if a machine is on, no systemd unit is stopped, and the settings do not mark the machine or its scale set as unhealthy.
 */
export function isServing(
  instance: ResourceRecord,
  set: Pick<ResourceRecord, "id">,
  { settings }: Subscription,
): boolean {
  const { unhealthy } = settings.current;
  return (
    powerStateOf(instance) === "running" &&
    stoppedUnits(instance).length === 0 &&
    unhealthy[keyOf(instance.id)] !== true &&
    unhealthy[keyOf(set.id)] !== true
  );
}

function isWatched(set: ResourceRecord): boolean {
  const profile = at(set.body, "properties", "virtualMachineProfile");
  return (
    nonEmptyStringAt(profile, "networkProfile", "healthProbe", "id") !== undefined ||
    healthExtensionOf(set) !== undefined
  );
}

/** Returns a set's health extension, which checks the software on its machines. */
export function healthExtensionOf(set: ResourceRecord): JsonObject | undefined {
  const profile = at(set.body, "properties", "virtualMachineProfile");
  return objectsAt(profile, "extensionProfile", "extensions").find((each) =>
    /^ApplicationHealth/.test(nonEmptyStringAt(each, "properties", "type") ?? ""),
  );
}
