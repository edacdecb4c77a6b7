import { bool, int, opaqueType, string } from "../values/type.ts";
import { errorValue, type OpaqueValue, type Result } from "../values/value.ts";
import { type Cidr, cidrText, type Ip, ipText, masked, parseCidr, parseIp, within } from "./ip-address.ts";
import { func, type Library, method, type Overload } from "./overload.ts";

const ipType = opaqueType("net.IP");
const cidrType = opaqueType("net.CIDR");
const perTenth = (size = 1) => Math.ceil(size * 0.1);

function boxedIp(content: Ip): OpaqueValue {
  return { kind: "opaque", typeName: "net.IP", content, key: ipText(content) };
}

function boxedCidr(content: Cidr): OpaqueValue {
  return { kind: "opaque", typeName: "net.CIDR", content, key: cidrText(content) };
}

function ipOf(value: OpaqueValue): Ip {
  return parseIp(value.key) ?? { family: 4, bits: 0n };
}

function cidrOf(value: OpaqueValue): Cidr {
  return parseCidr(value.key) ?? { family: 4, bits: 0n, prefix: 0 };
}

function ipResult(text: string, use: (ip: Ip) => Result): Result {
  const ip = parseIp(text);
  return ip
    ? use(ip)
    : errorValue(`IP Address ${JSON.stringify(text)} parse error during conversion from string`);
}

function cidrResult(text: string, use: (cidr: Cidr) => Result): Result {
  const cidr = parseCidr(text);
  return cidr ? use(cidr) : errorValue(`network address parse error during conversion from string: ${text}`);
}

const inRange = (range: string) => {
  const cidr = parseCidr(range);
  return (ip: Ip) => cidr !== undefined && within(cidr, ip);
};
const loopback = [inRange("127.0.0.0/8"), inRange("::1/128")];
const linkLocal = [inRange("169.254.0.0/16"), inRange("fe80::/10")];
const linkLocalMulticast = [inRange("224.0.0.0/24"), inRange("ff02::/16")];
const multicast = [inRange("224.0.0.0/4"), inRange("ff00::/8")];

const any = (ranges: readonly ((ip: Ip) => boolean)[], ip: Ip) => ranges.some((holds) => holds(ip));

function isGlobalUnicast(ip: Ip): boolean {
  const broadcast = ip.family === 4 && ip.bits === 2n ** 32n - 1n;
  return ip.bits !== 0n && !broadcast && !any([...loopback, ...linkLocal, ...multicast], ip);
}

const questions: Readonly<Record<string, (ip: Ip) => boolean>> = {
  isUnspecified: ({ bits }) => bits === 0n,
  isLoopback: (ip) => any(loopback, ip),
  isLinkLocalMulticast: (ip) => any(linkLocalMulticast, ip),
  isLinkLocalUnicast: (ip) => any(linkLocal, ip),
  isGlobalUnicast,
};

const ips: readonly Overload[] = [
  func("isIP", [string], bool, ([text]) => parseIp(text) !== undefined, perTenth),
  func("ip", [string], ipType, ([text]) => ipResult(text, boxedIp), perTenth),
  func("ip.isCanonical", [string], bool, ([text]) => ipResult(text, (ip) => ipText(ip) === text), perTenth),
  func("string", [ipType], string, ([{ key }]) => key),
  method("family", [ipType], int, ([ip]) => BigInt(ipOf(ip).family)),
  ...Object.entries(questions).map(([name, holds]) =>
    method(name, [ipType], bool, ([ip]) => holds(ipOf(ip))),
  ),
];

const cidrs: readonly Overload[] = [
  func("isCIDR", [string], bool, ([text]) => parseCidr(text) !== undefined, perTenth),
  func("cidr", [string], cidrType, ([text]) => cidrResult(text, boxedCidr), perTenth),
  func("string", [cidrType], string, ([{ key }]) => key),
  method("containsIP", [cidrType, ipType], bool, ([cidr, ip]) => within(cidrOf(cidr), ipOf(ip))),
  method("containsIP", [cidrType, string], bool, ([cidr, text]) =>
    ipResult(text, (ip) => within(cidrOf(cidr), ip)),
  ),
  method("containsCIDR", [cidrType, cidrType], bool, ([outer, inner]) =>
    covers(cidrOf(outer), cidrOf(inner)),
  ),
  method("containsCIDR", [cidrType, string], bool, ([outer, text]) =>
    cidrResult(text, (inner) => covers(cidrOf(outer), inner)),
  ),
  method("ip", [cidrType], ipType, ([cidr]) => boxedIp(cidrOf(cidr))),
  method("masked", [cidrType], cidrType, ([cidr]) => boxedCidr(masked(cidrOf(cidr)))),
  method("prefixLength", [cidrType], int, ([cidr]) => BigInt(cidrOf(cidr).prefix)),
];

function covers(outer: Cidr, inner: Cidr): boolean {
  return outer.prefix <= inner.prefix && within(outer, inner);
}

export const addresses: Library = {
  types: { "net.IP": ipType, "net.CIDR": cidrType },
  overloads: [...ips, ...cidrs],
};
