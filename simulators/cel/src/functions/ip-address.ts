import { isIPv4, isIPv6 } from "node:net";

export interface Ip {
  readonly family: 4 | 6;
  readonly bits: bigint;
}

export interface Cidr extends Ip {
  readonly prefix: number;
}

/** Parses an IP address without zone. Returns undefined for an invalid address and for an IPv4-mapped IPv6 address. */
export function parseIp(text: string): Ip | undefined {
  if (isIPv4(text)) return { family: 4, bits: ipv4Bits(text) };
  if (!isIPv6(text) || text.includes("%")) return undefined;
  const bits = ipv6Bits(text);
  return bits >> 32n === 0xffffn ? undefined : { family: 6, bits };
}

export function parseCidr(text: string): Cidr | undefined {
  const [address = "", length = "", ...rest] = text.split("/");
  const ip = parseIp(address);
  if (!ip || rest.length > 0 || !/^(0|[1-9]\d{0,2})$/.test(length)) return undefined;
  const prefix = Number(length);
  return prefix <= width(ip) ? { ...ip, prefix } : undefined;
}

function ipv4Bits(text: string): bigint {
  return text.split(".").reduce((bits, part) => (bits << 8n) | BigInt(part), 0n);
}

function ipv6Bits(text: string): bigint {
  const dotted = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(text);
  const v4 = dotted ? ipv4Bits(dotted[2] ?? "") : 0n;
  const plain = dotted ? `${dotted[1]}${(v4 >> 16n).toString(16)}:${(v4 & 0xffffn).toString(16)}` : text;
  const [head = "", tail] = plain.split("::");
  const groups = (part: string) => (part === "" ? [] : part.split(":"));
  const before = groups(head);
  const after = tail === undefined ? [] : groups(tail);
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => "0");
  return [...before, ...zeros, ...after].reduce((bits, group) => (bits << 16n) | BigInt(`0x${group}`), 0n);
}

function width({ family }: Ip): number {
  return family === 4 ? 32 : 128;
}

/** Formats an address in canonical form (RFC 5952). */
export function ipText({ family, bits }: Ip): string {
  if (family === 4) return [24n, 16n, 8n, 0n].map((shift) => String((bits >> shift) & 0xffn)).join(".");
  const groups = Array.from({ length: 8 }, (_, at) =>
    ((bits >> BigInt(112 - 16 * at)) & 0xffffn).toString(16),
  );
  let start = -1;
  let length = 1;
  for (let at = 0; at < 8; at++) {
    let run = 0;
    while (groups[at + run] === "0") run++;
    if (run > length) [start, length] = [at, run];
  }
  if (start < 0) return groups.join(":");
  return `${groups.slice(0, start).join(":")}::${groups.slice(start + length).join(":")}`;
}

export function cidrText(cidr: Cidr): string {
  return `${ipText(cidr)}/${cidr.prefix}`;
}

/** Clears the host bits of a network. */
export function masked(cidr: Cidr): Cidr {
  const rest = BigInt(width(cidr) - cidr.prefix);
  return { ...cidr, bits: (cidr.bits >> rest) << rest };
}

export function within(cidr: Cidr, ip: Ip): boolean {
  const rest = BigInt(width(cidr) - cidr.prefix);
  return cidr.family === ip.family && cidr.bits >> rest === ip.bits >> rest;
}
