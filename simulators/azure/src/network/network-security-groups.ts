import type { JsonObject } from "@keelson/base";
import { badRequest } from "../arm/arm-error.ts";
import { parseResourceId } from "../arm/arm-path.ts";
import type { ResourceType } from "../arm/resource-type.ts";
import { referrerIds } from "../arm/resources.ts";
import { at, nonEmptyStringAt, objectsAt, withProperties } from "../base/json.ts";
import { defaultSecurityRulesOf } from "./default-security-rules.ts";
import { resourceName } from "./names.ts";

export const networkSecurityGroups: ResourceType = {
  namespace: "Microsoft.Network",
  type: "networkSecurityGroups",
  etag: "weak",
  names: resourceName,
  readOnly: ["subnets", "networkInterfaces", "flowLogs", "defaultSecurityRules", "resourceGuid"],
  elements: { securityRules: {}, defaultSecurityRules: { fixed: true } },
  references: [
    { within: "securityRules", path: ["sourceApplicationSecurityGroups"] },
    { within: "securityRules", path: ["destinationApplicationSecurityGroups"] },
  ],
  inUse: (record, by) =>
    badRequest(
      "InUseNetworkSecurityGroupCannotBeDeleted",
      `Network security group ${record.id} cannot be deleted because it is in use by the following resources: ${referrerIds(by)}. In order to delete the Network security group, remove the association with the resource(s).`,
    ),
  prepare({ id, body }) {
    const rules = objectsAt(body, "properties", "securityRules");
    for (const rule of rules) checkRule(rule, rules);
    const defaultSecurityRules = defaultSecurityRulesOf(id);
    return { body: withProperties(body, { securityRules: rules, defaultSecurityRules }) };
  },
  render(record, subscription) {
    const by = subscription.resources.referrers(record.id);
    const ids = (type: string) =>
      by
        .filter(({ from }) => parseResourceId(from)?.types.at(-1)?.toLowerCase() === type)
        .map(({ from }) => ({ id: from }));
    const subnets = ids("subnets");
    const networkInterfaces = ids("networkinterfaces");
    const flowLogs = ids("flowlogs");
    return withProperties(record.body, {
      ...(subnets.length > 0 ? { subnets } : {}),
      ...(networkInterfaces.length > 0 ? { networkInterfaces } : {}),
      ...(flowLogs.length > 0 ? { flowLogs } : {}),
    });
  },
};

function checkRule(rule: JsonObject, all: readonly JsonObject[]): void {
  const name = nonEmptyStringAt(rule, "name");
  const priority = at(rule, "properties", "priority");
  if (typeof priority !== "number" || !Number.isInteger(priority) || priority < 100 || priority > 4096) {
    throw badRequest(
      "SecurityRuleInvalidPriority",
      `Security rule ${name} has invalid Priority. Value provided: ${String(priority)}. Allowed range 100-4096.`,
    );
  }
  for (const [property, allowed] of Object.entries(choices)) {
    const value = nonEmptyStringAt(rule, "properties", property) ?? "";
    if (!allowed.some((each) => each.toLowerCase() === value.toLowerCase())) {
      throw badRequest(
        "SecurityRuleParameterInvalidValue",
        `Security rule ${name} has invalid ${property}. Value provided: ${value}. Allowed values: ${allowed.join(", ")}.`,
      );
    }
  }
  const direction = nonEmptyStringAt(rule, "properties", "direction")?.toLowerCase();
  const twin = all.find(
    (each) =>
      each !== rule &&
      at(each, "properties", "priority") === priority &&
      nonEmptyStringAt(each, "properties", "direction")?.toLowerCase() === direction,
  );
  if (twin) {
    throw badRequest(
      "SecurityRuleConflict",
      `Security rule ${name} conflicts with rule ${nonEmptyStringAt(twin, "name")}. Rules cannot have the same Priority and Direction.`,
    );
  }
}

const choices = {
  access: ["Allow", "Deny"],
  direction: ["Inbound", "Outbound"],
  protocol: ["*", "Tcp", "Udp", "Icmp", "Esp", "Ah"],
};
