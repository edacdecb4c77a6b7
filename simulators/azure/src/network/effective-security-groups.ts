import type { JsonObject } from "@keelson/base";
import { type ArmResponse, ok } from "../arm/exchange.ts";
import type { ResourceRecord } from "../arm/resource.ts";
import type { Subscription } from "../arm/subscription.ts";
import { members, nonEmptyStringAt, objectsAt } from "../base/json.ts";
import { requireRunning } from "./effective-routes.ts";

/**
 * Returns the effective security rules of a network interface: the rules of the subnet's security group and of the interface's
 * own security group.
 */
export function effectiveSecurityGroups(nic: ResourceRecord, subscription: Subscription): ArmResponse {
  requireRunning(nic, subscription, "EffectiveNetworkSecurityGroupNotAvailable");
  const [configuration] = objectsAt(nic.body, "properties", "ipConfigurations");
  const subnetId = nonEmptyStringAt(configuration, "properties", "subnet", "id") ?? "";
  const subnet = subscription.resources.resolve(subnetId)?.element;
  const groups = [
    {
      id: nonEmptyStringAt(subnet, "properties", "networkSecurityGroup", "id"),
      by: { subnet: { id: subnetId } },
    },
    {
      id: nonEmptyStringAt(nic.body, "properties", "networkSecurityGroup", "id"),
      by: { networkInterface: { id: nic.id } },
    },
  ];
  const value = groups.flatMap(({ id, by }) => {
    const group = id === undefined ? undefined : subscription.resources.find(id);
    return group
      ? [{ networkSecurityGroup: { id: group.id }, association: by, effectiveSecurityRules: rulesOf(group) }]
      : [];
  });
  return ok({ value });
}

function rulesOf(group: ResourceRecord): readonly JsonObject[] {
  const kinds = ["securityRules", "defaultSecurityRules"];
  return kinds.flatMap((kind) =>
    objectsAt(group.body, "properties", kind).map((each) => {
      const { provisioningState: _, description: __, ...rule } = members(each.properties);
      return { name: `${kind}/${nonEmptyStringAt(each, "name")}`, ...rule };
    }),
  );
}
