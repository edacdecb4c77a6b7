import type { JsonObject } from "@keelson/base";
import { badRequest } from "../arm/arm-error.ts";
import { lastSegment, sameId } from "../arm/arm-path.ts";
import type { Subscription } from "../arm/subscription.ts";
import { nonEmptyStringAt, objectsAt, withProperties } from "../base/json.ts";
import { formatAddress, lowestFree, parseAddress, parsePrefix, usable } from "./cidr.ts";

/** Names of arrays with elements that can have a private address. */
const holders = ["ipConfigurations", "frontendIPConfigurations"];

/**
 * Assigns a private address to each IP configuration that has a subnet. The request's address has priority, then the previous
 * address of the configuration, then the lowest free address. Addresses are stored only in the configurations, so deleting a
 * configuration releases its address.
 * @throws ArmError if the subnet is full or the requested address is unavailable
 */
export function withPrivateAddresses(
  configurations: readonly JsonObject[],
  before: readonly JsonObject[],
  holderId: string,
  subscription: Subscription,
): readonly JsonObject[] {
  const given: JsonObject[] = [];
  for (const configuration of configurations) {
    const subnetId = nonEmptyStringAt(configuration, "properties", "subnet", "id");
    given.push(
      subnetId === undefined
        ? configuration
        : withAddress(configuration, subnetId, before, given, holderId, subscription),
    );
  }
  return given;
}

function withAddress(
  configuration: JsonObject,
  subnetId: string,
  before: readonly JsonObject[],
  siblings: readonly JsonObject[],
  holderId: string,
  subscription: Subscription,
): JsonObject {
  const subnet = subscription.resources.resolve(subnetId)?.element;
  const range = parsePrefix(prefixOf(subnet));
  if (!range) {
    throw badRequest(
      "InvalidResourceReference",
      `Resource ${subnetId} referenced by resource ${holderId} was not found.`,
    );
  }
  const taken = new Set([...takenIn(subnetId, holderId, subscription), ...addressesOf(siblings, subnetId)]);
  const isStatic =
    nonEmptyStringAt(configuration, "properties", "privateIPAllocationMethod")?.toLowerCase() === "static";
  const address = isStatic
    ? staticAddress(configuration, subnetId, taken, subscription)
    : (keptAddress(configuration, before, subnetId, taken) ?? lowestFree(usable(range), taken));
  if (address === undefined) {
    throw badRequest(
      "SubnetIsFull",
      `Subnet ${lastSegment(subnetId)} with address prefix ${prefixOf(subnet)} does not have enough capacity for 1 IP addresses.`,
    );
  }
  return withProperties(configuration, {
    privateIPAddress: formatAddress(address),
    privateIPAllocationMethod: isStatic ? "Static" : "Dynamic",
    privateIPAddressVersion:
      nonEmptyStringAt(configuration, "properties", "privateIPAddressVersion") ?? "IPv4",
  });
}

function staticAddress(
  configuration: JsonObject,
  subnetId: string,
  taken: ReadonlySet<number>,
  subscription: Subscription,
): number {
  const text = nonEmptyStringAt(configuration, "properties", "privateIPAddress") ?? "";
  const address = parseAddress(text);
  const range = parsePrefix(prefixOf(subscription.resources.resolve(subnetId)?.element));
  if (address === undefined || !range || address < range.first || address > range.last) {
    throw badRequest(
      "PrivateIPAddressNotInSubnet",
      `Private static IP address ${text} does not belong to the range of subnet prefix ${prefixOf(subscription.resources.resolve(subnetId)?.element)}.`,
    );
  }
  const { first, last } = usable(range);
  if (address < first || address > last) {
    throw badRequest(
      "PrivateIPAddressInReservedRange",
      `Private static IP address ${text} falls within reserved IP range of subnet ${lastSegment(subnetId)}.`,
    );
  }
  if (taken.has(address)) {
    throw badRequest(
      "PrivateIPAddressIsAllocated",
      `IP configuration ${nonEmptyStringAt(configuration, "id")} is using the private IP address ${text} which is already allocated to another resource.`,
    );
  }
  return address;
}

/** Returns the address that the IP configuration with this name previously had in this subnet. */
function keptAddress(
  configuration: JsonObject,
  before: readonly JsonObject[],
  subnetId: string,
  taken: ReadonlySet<number>,
): number | undefined {
  const id = nonEmptyStringAt(configuration, "id") ?? "";
  const same = before.filter((each) => sameId(nonEmptyStringAt(each, "id") ?? "", id));
  return addressesOf(same, subnetId).find((address) => !taken.has(address));
}

/** Returns the used addresses of a subnet. Addresses of the resource `holderId` do not count. */
export function takenIn(subnetId: string, holderId: string, subscription: Subscription): readonly number[] {
  const others = new Set(
    subscription.resources
      .referrers(subnetId)
      .map(({ holder }) => holder)
      .filter((holder) => !sameId(holder, holderId)),
  );
  return [...others].flatMap((holder) => {
    const body = subscription.resources.find(holder)?.body;
    return holders.flatMap((property) => addressesOf(objectsAt(body, "properties", property), subnetId));
  });
}

function addressesOf(configurations: readonly JsonObject[], subnetId: string): readonly number[] {
  return configurations
    .filter((each) => sameId(nonEmptyStringAt(each, "properties", "subnet", "id") ?? "", subnetId))
    .map((each) => parseAddress(nonEmptyStringAt(each, "properties", "privateIPAddress") ?? ""))
    .filter((address) => address !== undefined);
}

/** Returns the address prefix of a subnet. Newer clients send the prefix as a list with one element. */
export function prefixOf(subnet: JsonObject | undefined): string {
  const list =
    subnet && typeof subnet.properties === "object" && subnet.properties !== null ? subnet.properties : {};
  const prefixes = "addressPrefixes" in list ? list.addressPrefixes : undefined;
  const first = Array.isArray(prefixes) ? prefixes[0] : undefined;
  return nonEmptyStringAt(subnet, "properties", "addressPrefix") ?? (typeof first === "string" ? first : "");
}
