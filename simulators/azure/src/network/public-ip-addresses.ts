import type { JsonObject } from "@keelson/base";
import { badRequest } from "../arm/arm-error.ts";
import type { ResourceType } from "../arm/resource-type.ts";
import { referrerIds } from "../arm/resources.ts";
import type { Subscription } from "../arm/subscription.ts";
import { at, members, nonEmptyStringAt, withProperties } from "../base/json.ts";
import { type AddressRange, formatAddress, lowestFree, parsePrefix } from "./cidr.ts";
import { resourceName } from "./names.ts";

const pool = parsePrefix("20.64.0.0/12");

export const publicIPAddresses: ResourceType = {
  namespace: "Microsoft.Network",
  type: "publicIPAddresses",
  etag: "weak",
  names: resourceName,
  readOnly: ["ipConfiguration", "ipAddress", "resourceGuid"],
  lookup: "ipAddress",
  references: [{ path: ["publicIPPrefix"] }],
  inUse: (record, by) =>
    badRequest(
      "PublicIPAddressCannotBeDeleted",
      `Public IP address ${record.id} can not be deleted since it is still allocated to resource ${referrerIds(by)}.`,
    ),
  prepare({ body, existing }, subscription) {
    if (!existing) checkCount(subscription, nonEmptyStringAt(body, "location") ?? "");
    const sku =
      nonEmptyStringAt(body, "sku", "name") ?? nonEmptyStringAt(existing?.body, "sku", "name") ?? "Standard";
    const method =
      nonEmptyStringAt(body, "properties", "publicIPAllocationMethod") ??
      (sku === "Basic" ? "Dynamic" : "Static");
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
          publicIPAddressVersion: nonEmptyStringAt(body, "properties", "publicIPAddressVersion") ?? "IPv4",
          idleTimeoutInMinutes: at(body, "properties", "idleTimeoutInMinutes") ?? 4,
          ipAddress:
            nonEmptyStringAt(existing?.body, "properties", "ipAddress") ??
            freeAddress(rangeOf(body, subscription), subscription),
        }),
        sku: { name: sku, tier: nonEmptyStringAt(body, "sku", "tier") ?? "Regional" },
      },
    };
  },
  render(record, subscription) {
    const [user] = subscription.resources.referrers(record.id);
    return withProperties(record.body, {
      ...(user ? { ipConfiguration: { id: user.from } } : {}),
      ...withDomainName(record.body),
    });
  },
};

/** Returns the DNS settings of an address. Adds the full domain name if the address has a domain name label. */
function withDomainName(body: JsonObject): JsonObject {
  const settings = members(at(body, "properties", "dnsSettings"));
  const label = nonEmptyStringAt(settings, "domainNameLabel");
  if (label === undefined) return {};
  const fqdn = `${label}.${nonEmptyStringAt(body, "location")}.cloudapp.azure.com`;
  return { dnsSettings: { ...settings, fqdn } };
}

/** Returns the address range from which the address is taken: the requested prefix, or the pool of single addresses. */
function rangeOf(body: JsonObject, subscription: Subscription): AddressRange | undefined {
  const prefixId = nonEmptyStringAt(body, "properties", "publicIPPrefix", "id");
  if (prefixId === undefined) return pool;
  return parsePrefix(
    nonEmptyStringAt(subscription.resources.find(prefixId)?.body, "properties", "ipPrefix") ?? "",
  );
}

function freeAddress(range: AddressRange | undefined, subscription: Subscription): string {
  const has = (address: number) =>
    subscription.resources.lookedUp("Microsoft.Network/publicIPAddresses", formatAddress(address)).length > 0;
  // A missing prefix is not an error here. The later validation of references rejects the request.
  const address = lowestFree(range ?? pool ?? { first: 0, last: -1 }, { has });
  if (address === undefined) {
    throw badRequest(
      "PublicIPCountLimitReached",
      "Cannot create more public IP addresses for this subscription.",
    );
  }
  return formatAddress(address);
}

/** Checks the quota of the location. @throws ArmError 400 if the quota is exhausted */
function checkCount(subscription: Subscription, location: string): void {
  const limit = subscription.settings.current.quotas[location]?.PublicIPAddresses;
  if (limit === undefined) return;
  const count = subscription.resources
    .ofType("Microsoft.Network/publicIPAddresses")
    .filter((each) => nonEmptyStringAt(each.body, "location") === location).length;
  if (count < limit) return;
  throw badRequest(
    "PublicIPCountLimitReached",
    `Cannot create more than ${limit} public IP addresses for this subscription in this region.`,
  );
}
