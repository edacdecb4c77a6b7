import { badRequest } from "../arm/arm-error.ts";
import type { ResourceType } from "../arm/resource-type.ts";
import { members, textAt, without } from "../json.ts";

/** Programs that Azure would run in a machine. Here nothing runs, and what only they may see is kept from everyone. */
export const machineExtensions: ResourceType = {
  namespace: "Microsoft.Compute",
  type: "virtualMachines/extensions",
  scope: "resourceGroup",
  location: "regional",
  etag: "none",
  names: /^[A-Za-z0-9_][\w.-]{0,79}$/,
  readOnly: ["instanceView"],
  prepare({ name, body }) {
    for (const member of ["publisher", "type"]) {
      if (textAt(body, "properties", member)) continue;
      throw badRequest("InvalidParameter", `Extension ${name} needs 'properties.${member}'.`);
    }
    const properties = without(members(body.properties), ["protectedSettings"]);
    return { body: { ...body, properties: { autoUpgradeMinorVersion: false, ...properties } } };
  },
};
