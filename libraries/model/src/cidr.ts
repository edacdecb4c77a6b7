import { isIPv4, isIPv6 } from "node:net";

/** An IP network as it was written: `address` may have bits beyond the prefix. */
export interface Cidr {
  readonly family: 4 | 6;
  readonly address: string;
  readonly prefix: number;
}

/** Parses `address/prefix`. `undefined` when `text` is not one. */
export function parseCidr(text: string): Cidr | undefined {
  const match = /^([^/%]+)\/(\d{1,3})$/.exec(text);
  const address = match?.[1] ?? "";
  const prefix = Number(match?.[2]);
  if (isIPv4(address) && prefix <= 32) return { family: 4, address, prefix };
  if (isIPv6(address) && prefix <= 128) return { family: 6, address, prefix };
  return undefined;
}

/** The network's first address, of an IPv4 network. */
export function networkAddress({ address, prefix }: Cidr): string {
  return textOf(numberOf(address) & maskOf(prefix));
}

/** True if one IPv4 network contains the other. */
export function overlaps(a: Cidr, b: Cidr): boolean {
  const mask = maskOf(Math.min(a.prefix, b.prefix));
  return (numberOf(a.address) & mask) === (numberOf(b.address) & mask);
}

function maskOf(prefix: number): number {
  return prefix === 0 ? 0 : -1 << (32 - prefix);
}

function numberOf(ipv4: string): number {
  return ipv4.split(".").reduce((number, octet) => (number << 8) | Number(octet), 0);
}

function textOf(ipv4: number): string {
  return [24, 16, 8, 0].map((shift) => (ipv4 >>> shift) & 255).join(".");
}
