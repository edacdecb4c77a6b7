/** Range of IPv4 addresses, both ends included. */
export interface AddressRange {
  readonly first: number;
  readonly last: number;
}

/** Parses a prefix such as `10.0.0.0/24`. Returns `undefined` for an invalid prefix or if host bits are set. */
export function parsePrefix(text: string): AddressRange | undefined {
  const [address = "", length = "", ...rest] = text.split("/");
  const first = parseAddress(address);
  if (first === undefined || rest.length > 0 || !/^(\d|[12]\d|3[0-2])$/.test(length)) return undefined;
  const size = 2 ** (32 - Number(length));
  return first % size === 0 ? { first, last: first + size - 1 } : undefined;
}

export function parseAddress(text: string): number | undefined {
  const octets = text.split(".");
  if (octets.length !== 4 || !octets.every((each) => /^(0|[1-9]\d{0,2})$/.test(each) && Number(each) < 256)) {
    return undefined;
  }
  return octets.reduce((sum, each) => sum * 256 + Number(each), 0);
}

export function formatAddress(address: number): string {
  return [24, 16, 8, 0].map((bits) => Math.floor(address / 2 ** bits) % 256).join(".");
}

export function contains(outer: AddressRange, inner: AddressRange): boolean {
  return outer.first <= inner.first && inner.last <= outer.last;
}

export function overlap(a: AddressRange, b: AddressRange): boolean {
  return a.first <= b.last && b.first <= a.last;
}

/** Returns the usable addresses of a subnet. Azure reserves the first four addresses and the last one. */
export function usable(subnet: AddressRange): AddressRange {
  return { first: subnet.first + 4, last: subnet.last - 1 };
}

/** Returns the lowest free address of `range`. */
export function lowestFree(
  range: AddressRange,
  taken: { has(address: number): boolean },
): number | undefined {
  for (let address = range.first; address <= range.last; address++) if (!taken.has(address)) return address;
  return undefined;
}
