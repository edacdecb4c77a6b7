import { formatIpv4, type Ipv4Range } from "@keelson/base";
import type { Subnet } from "../context/azure-models.ts";

/**
 * Finds a pair of overlapping ranges. The first range of the pair begins or ends inside the second range. Error messages list the
 * two ranges in this order.
 */
export function findOverlap(ranges: readonly Ipv4Range[]): readonly [Ipv4Range, Ipv4Range] | undefined {
  for (const range of ranges) {
    const holds = (value: number) => range.first <= value && value <= range.last;
    const other = ranges.find((each) => each !== range && (holds(each.first) || holds(each.last)));
    if (other) return [other, range];
  }
  return undefined;
}

/** Number of addresses that Azure reserves at the start of a subnet. Azure also reserves addresses at the end. */
const reservedAtStart = 4;
const reservedAtEnd = 1;

/** Returns the highest free address of a subnet. Azure assigns the lowest free address first. */
export function highestFreeAddress(subnet: Ipv4Range, taken: ReadonlySet<string>): string | undefined {
  for (let value = subnet.last - reservedAtEnd; value >= subnet.first + reservedAtStart; value--) {
    const address = formatIpv4(value);
    if (!taken.has(address)) return address;
  }
  return undefined;
}

export function prefixesOf(subnet: Subnet): readonly string[] {
  return subnet.addressPrefix ? [subnet.addressPrefix] : (subnet.addressPrefixes ?? []);
}
