import { badRequest } from "../arm/arm-error.ts";
import type { ResourceType } from "../arm/resource-type.ts";
import { referrerIds } from "../arm/resources.ts";
import { resourceName } from "./names.ts";

export const applicationSecurityGroups: ResourceType = {
  namespace: "Microsoft.Network",
  type: "applicationSecurityGroups",
  etag: "weak",
  names: resourceName,
  readOnly: ["resourceGuid"],
  inUse: (record, by) =>
    badRequest(
      "InUseApplicationSecurityGroupCannotBeDeleted",
      `Application security group ${record.id} cannot be deleted because it is in use by ${referrerIds(by)}.`,
    ),
  prepare: ({ body }) => ({ body }),
};
