import { badRequest } from "../arm/arm-error.ts";
import type { ArmRequest, ArmResponse } from "../arm/exchange.ts";
import { ok } from "../arm/exchange.ts";
import type { ResourceRecord } from "../arm/resource.ts";
import type { Subscription } from "../arm/subscription.ts";
import { nonEmptyStringAt, objectsAt } from "../base/json.ts";
import { formatAddress, parseAddress, parsePrefix, usable } from "./cidr.ts";
import { prefixOf, takenIn } from "./private-addresses.ts";

/** Maximum number of free addresses that a response suggests if the requested address is unavailable. */
const named = 5;

/** Handles `GET .../CheckIPAddressAvailability?ipAddress=`. Checks that an address in a network's subnets is free. */
export function addressAvailability(
  network: ResourceRecord,
  { query }: ArmRequest,
  subscription: Subscription,
): ArmResponse {
  const text = query.get("ipAddress") ?? "";
  const address = parseAddress(text);
  const subnet = objectsAt(network.body, "properties", "subnets")
    .map((each) => ({ id: nonEmptyStringAt(each, "id") ?? "", range: parsePrefix(prefixOf(each)) }))
    .find(({ range }) => range && address !== undefined && range.first <= address && address <= range.last);
  if (address === undefined || !subnet?.range) {
    throw badRequest(
      "PrivateIPAddressNotInAnySubnet",
      `Private static IP address ${text} does not belong to the range of any subnet in the virtual network ${network.id}.`,
    );
  }
  const { first, last } = usable(subnet.range);
  const taken = new Set(takenIn(subnet.id, "", subscription));
  const isReserved = address < first || address > last;
  const available = !isReserved && !taken.has(address);
  const free: string[] = [];
  for (let each = first; each <= last && free.length < named && !available; each += 1) {
    if (!taken.has(each)) free.push(formatAddress(each));
  }
  return ok({ available, availableIPAddresses: free, isPlatformReserved: isReserved });
}

/** Handles `GET .../usages`. Returns the number of used addresses per subnet. */
export function subnetUsages(
  network: ResourceRecord,
  _request: ArmRequest,
  subscription: Subscription,
): ArmResponse {
  const value = objectsAt(network.body, "properties", "subnets").map((each) => {
    const id = nonEmptyStringAt(each, "id") ?? "";
    const { first, last } = usable(parsePrefix(prefixOf(each)) ?? { first: 0, last: 0 });
    return {
      id,
      name: { value: "SubnetSpace", localizedValue: "Subnet size and usage" },
      currentValue: takenIn(id, "", subscription).length,
      limit: last - first + 1,
      unit: "Count",
    };
  });
  return ok({ value });
}
