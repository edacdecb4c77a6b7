import { badRequest } from "../arm/arm-error.ts";
import type { ResourceType } from "../arm/resource-type.ts";
import { referrerIds } from "../arm/resources.ts";
import { objectsAt, withProperties } from "../base/json.ts";
import { resourceName } from "./names.ts";

export const routeTables: ResourceType = {
  namespace: "Microsoft.Network",
  type: "routeTables",
  etag: "weak",
  names: resourceName,
  readOnly: ["subnets", "resourceGuid"],
  elements: { routes: {} },
  inUse: (record, by) =>
    badRequest(
      "InUseRouteTableCannotBeDeleted",
      `Route table ${record.name} is in use and cannot be deleted. It is used by ${referrerIds(by)}.`,
    ),
  prepare: ({ body }) => ({
    body: withProperties(body, { routes: objectsAt(body, "properties", "routes") }),
  }),
  render(record, subscription) {
    const subnets = subscription.resources.referrers(record.id).map(({ from }) => ({ id: from }));
    return subnets.length > 0 ? withProperties(record.body, { subnets }) : record.body;
  },
};
