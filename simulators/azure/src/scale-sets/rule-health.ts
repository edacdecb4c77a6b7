import type { JsonObject } from "@keelson/base";
import { keyOf, lastSegment, parentId } from "../arm/arm-path.ts";
import type { ResourceRecord } from "../arm/resource.ts";
import type { Subscription } from "../arm/subscription.ts";
import { at, nonEmptyStringAt, objectsAt } from "../base/json.ts";
import { isServing } from "./instance-health.ts";
import { instancesOf } from "./instances.ts";

const setType = "Microsoft.Compute/virtualMachineScaleSets";

/**
 * Returns the probe results of a load balancer rule for all scale set machines in its backend pool. If the settings mark the rule
 * as unhealthy, all machines are down.
 */
export function ruleHealth(rule: JsonObject, subscription: Subscription): JsonObject {
  const id = nonEmptyStringAt(rule, "id") ?? "";
  const pool = keyOf(nonEmptyStringAt(rule, "properties", "backendAddressPool", "id") ?? "");
  const isDown = subscription.settings.current.unhealthy[keyOf(id)] === true;
  const backends = subscription.resources
    .ofType(setType)
    .flatMap((set) => configurationsIn(set, pool).map((configuration) => ({ set, configuration })))
    .flatMap(({ set, configuration }) =>
      instancesOf(set, subscription).map((machine) => {
        const isUp = !isDown && responses(machine, id, subscription);
        return {
          networkInterfaceIPConfigurationId: `${machine.id}${configuration}`,
          state: isUp ? "Up" : "Down",
          reason: isUp ? "" : "The health probe did not report that it is ready.",
        };
      }),
    );
  const up = backends.filter(({ state }) => state === "Up").length;
  return { up, down: backends.length - up, loadBalancerBackendAddresses: backends };
}

function responses(machine: ResourceRecord, ruleId: string, subscription: Subscription): boolean {
  const set = { id: parentId(machine.id) };
  if (!isServing(machine, set, subscription)) return false;
  return subscription.machineHost?.isReady(keyOf(machine.id), lastSegment(ruleId)) ?? true;
}

/**
 * Returns the IP configurations of a scale set's machines that are in a backend pool. Each result is the part of the
 * configuration's ID after the machine's ID.
 */
function configurationsIn(set: ResourceRecord, pool: string): readonly string[] {
  const profile = at(set.body, "properties", "virtualMachineProfile", "networkProfile");
  return objectsAt(profile, "networkInterfaceConfigurations").flatMap((nic) =>
    objectsAt(nic, "properties", "ipConfigurations")
      .filter((each) =>
        objectsAt(each, "properties", "loadBalancerBackendAddressPools").some(
          (member) => keyOf(nonEmptyStringAt(member, "id") ?? "") === pool,
        ),
      )
      .map(
        (each) =>
          `/networkInterfaces/${nonEmptyStringAt(nic, "name")}/ipConfigurations/${nonEmptyStringAt(each, "name")}`,
      ),
  );
}
