/** A range of IPv4 addresses, as numbers; both ends belong to it. */
export interface Ipv4Range {
  /** In canonical form: the network's first address and the prefix length. */
  readonly text: string;
  readonly first: number;
  readonly last: number;
  readonly prefixLength: number;
}

/** Parses `10.0.0.0/22`; host bits are ignored. `undefined` when `text` is not an IPv4 CIDR. */
export function parseCidr(text: string): Ipv4Range | undefined {
  const [address = "", length = ""] = text.split("/");
  const value = parseIpv4(address);
  const prefixLength = Number(length);
  if (value === undefined || !/^\d{1,2}$/.test(length) || prefixLength > 32) return undefined;
  const size = 2 ** (32 - prefixLength);
  const first = Math.floor(value / size) * size;
  return { text: `${formatIpv4(first)}/${prefixLength}`, first, last: first + size - 1, prefixLength };
}

function parseIpv4(text: string): number | undefined {
  const parts = text.split(".");
  const valid = parts.length === 4 && parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) <= 255);
  return valid ? parts.reduce((sum, part) => sum * 256 + Number(part), 0) : undefined;
}

function formatIpv4(value: number): string {
  return [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join(".");
}

/** The first range that contains an end of another, after that other: in the order in which a customer reads them. */
export function findOverlap(ranges: readonly Ipv4Range[]): readonly [Ipv4Range, Ipv4Range] | undefined {
  for (const range of ranges) {
    const holds = (value: number) => range.first <= value && value <= range.last;
    const other = ranges.find((each) => each !== range && (holds(each.first) || holds(each.last)));
    if (other) return [other, range];
  }
  return undefined;
}

/** Azure reserves the first four addresses of a subnet and the last one. */
const reservedAtStart = 4;
const reservedAtEnd = 1;

/** The highest free address of a subnet; Azure hands them out from the lowest. */
export function highestFreeAddress(subnet: Ipv4Range, taken: ReadonlySet<string>): string | undefined {
  for (let value = subnet.last - reservedAtEnd; value >= subnet.first + reservedAtStart; value--) {
    const address = formatIpv4(value);
    if (!taken.has(address)) return address;
  }
  return undefined;
}
