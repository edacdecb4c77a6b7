import { isIPv4, isIPv6 } from "node:net";

/** IP network as written by the user. The host bits of `address` may be set. */
export interface Cidr {
  readonly family: 4 | 6;
  readonly address: string;
  readonly prefix: number;
}

/** Range of IPv4 addresses as numbers, including both ends. */
export interface Ipv4Range {
  /** Canonical form: first address of the network, slash, prefix length. */
  readonly text: string;
  readonly first: number;
  readonly last: number;
  readonly prefixLength: number;
}

/** Parses `address/prefix`. Returns undefined for invalid strings. */
export function parseCidr(text: string): Cidr | undefined {
  const match = /^([^/%]+)\/(\d{1,3})$/.exec(text);
  const address = match?.[1] ?? "";
  const prefix = Number(match?.[2]);
  if (isIPv4(address) && prefix <= 32) return { family: 4, address, prefix };
  if (isIPv6(address) && prefix <= 128) return { family: 6, address, prefix };
  return undefined;
}

/** Parses an IPv4 network such as `10.0.0.0/22`. Ignores host bits. Returns undefined for invalid strings. */
export function parseIpv4Range(text: string): Ipv4Range | undefined {
  const cidr = parseCidr(text);
  if (cidr?.family !== 4) return undefined;
  const { prefix: prefixLength } = cidr;
  const { first, last } = boundsOf(cidr);
  return { text: `${formatIpv4(first)}/${prefixLength}`, first, last, prefixLength };
}

/** Returns the first address of an IPv4 network. */
export function networkAddress(cidr: Cidr): string {
  return formatIpv4(boundsOf(cidr).first);
}

/** True if two IPv4 networks overlap. */
export function overlaps(a: Cidr, b: Cidr): boolean {
  const [x, y] = [boundsOf(a), boundsOf(b)];
  return x.first <= y.last && y.first <= x.last;
}

export function formatIpv4(value: number): string {
  return [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join(".");
}

function boundsOf({ address, prefix }: Cidr): Pick<Ipv4Range, "first" | "last"> {
  const value = address.split(".").reduce((sum, octet) => sum * 256 + Number(octet), 0);
  const size = 2 ** (32 - prefix);
  const first = Math.floor(value / size) * size;
  return { first, last: first + size - 1 };
}
