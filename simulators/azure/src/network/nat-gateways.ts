import { badRequest } from "../arm/arm-error.ts";
import type { ResourceType } from "../arm/resource-type.ts";
import { referrerIds } from "../arm/resources.ts";
import { at, nonEmptyStringAt, withProperties } from "../base/json.ts";
import { resourceName } from "./names.ts";

export const natGateways: ResourceType = {
  namespace: "Microsoft.Network",
  type: "natGateways",
  etag: "weak",
  names: resourceName,
  readOnly: ["subnets", "resourceGuid"],
  references: [{ path: ["publicIpAddresses"] }, { path: ["publicIpPrefixes"] }],
  inUse: (record, by) =>
    badRequest(
      "InUseNatGatewayCannotBeDeleted",
      `Nat gateway ${record.name} is in use and cannot be deleted. It is used by ${referrerIds(by)}.`,
    ),
  prepare({ name, body, existing }) {
    const sku = nonEmptyStringAt(body, "sku", "name") ?? nonEmptyStringAt(existing?.body, "sku", "name");
    if (sku !== "Standard" && sku !== "StandardV2") {
      throw badRequest(
        "InvalidRequestFormat",
        `Nat gateway ${name} needs the sku 'Standard' or 'StandardV2'.`,
      );
    }
    const idleTimeoutInMinutes = at(body, "properties", "idleTimeoutInMinutes") ?? 4;
    return { body: { ...withProperties(body, { idleTimeoutInMinutes }), sku: { name: sku } } };
  },
  render(record, subscription) {
    const subnets = subscription.resources.referrers(record.id).map(({ from }) => ({ id: from }));
    return subnets.length > 0 ? withProperties(record.body, { subnets }) : record.body;
  },
};
