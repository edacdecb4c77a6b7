import { badRequest } from "../arm/arm-error.ts";
import type { ResourceType } from "../arm/resource-type.ts";
import { referrerIds } from "../arm/resources.ts";
import type { World } from "../arm/world.ts";
import { at, textAt, withProperties } from "../json.ts";
import { formatAddress, lowestFree, parseAddress, parsePrefix } from "./cidr.ts";
import { resourceName } from "./names.ts";

const pool = parsePrefix("20.64.0.0/12");

export const publicIPAddresses: ResourceType = {
  namespace: "Microsoft.Network",
  type: "publicIPAddresses",
  scope: "resourceGroup",
  location: "regional",
  etag: "weak",
  names: resourceName,
  readOnly: ["ipConfiguration", "ipAddress", "resourceGuid"],
  inUse: (record, by) =>
    badRequest(
      "PublicIPAddressCannotBeDeleted",
      `Public IP address ${record.id} can not be deleted since it is still allocated to resource ${referrerIds(by)}.`,
    ),
  prepare({ body, existing }, world) {
    const sku = textAt(body, "sku", "name") ?? textAt(existing?.body, "sku", "name") ?? "Standard";
    const method =
      textAt(body, "properties", "publicIPAllocationMethod") ?? (sku === "Basic" ? "Dynamic" : "Static");
    if (sku !== "Basic" && method !== "Static") {
      throw badRequest(
        "StandardSkuPublicIPAddressesMustBeStatic",
        "Standard sku publicIp addresses must have AllocationMethod set to Static.",
      );
    }
    return {
      body: {
        ...withProperties(body, {
          publicIPAllocationMethod: method,
          publicIPAddressVersion: textAt(body, "properties", "publicIPAddressVersion") ?? "IPv4",
          idleTimeoutInMinutes: at(body, "properties", "idleTimeoutInMinutes") ?? 4,
          ipAddress: textAt(existing?.body, "properties", "ipAddress") ?? freeAddress(world),
        }),
        sku: { name: sku, tier: textAt(body, "sku", "tier") ?? "Regional" },
      },
    };
  },
  render(record, world) {
    const [user] = world.resources.referrers(record.id);
    return user ? withProperties(record.body, { ipConfiguration: { id: user.from } }) : record.body;
  },
};

function freeAddress(world: World): string {
  const taken = new Set(
    world.resources
      .ofType("Microsoft.Network/publicIPAddresses")
      .map((each) => parseAddress(textAt(each.body, "properties", "ipAddress") ?? ""))
      .filter((address) => address !== undefined),
  );
  const address = pool && lowestFree(pool, taken);
  if (address === undefined) {
    throw badRequest(
      "PublicIPCountLimitReached",
      "Cannot create more public IP addresses for this subscription.",
    );
  }
  return formatAddress(address);
}
