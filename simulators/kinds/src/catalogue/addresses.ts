import { isIP } from "node:net";
import { masked, parseCidr, parseIp, within } from "@keelson/cel";
import { dnsSubdomain } from "./names.ts";

/** Validates an address or network. Returns Kubernetes' error, or undefined if it is valid. */
type AddressForm = (text: string) => string | undefined;

export type IpFamily = "IPv4" | "IPv6";

/** Returns the family of an IP address, or undefined for an invalid address. Leading zeros are allowed. */
export function familyOf(text: string): IpFamily | undefined {
  const family = isIP(withoutLeadingZeros(text));
  return family === 4 ? "IPv4" : family === 6 && !text.includes("%") ? "IPv6" : undefined;
}

/** Validates an address. Rejects ambiguous forms, such as numbers with leading zeros. */
export const ipAddress: AddressForm = (text) => {
  if (!familyOf(text)) return "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)";
  if (withoutLeadingZeros(text) !== text) return "must not have leading 0s";
  return parseIp(text) ? undefined : "must not be an IPv4-mapped IPv6 address";
};

/** Validates a network: an address and a prefix length. */
export const network: AddressForm = (text) => {
  const [address = "", length = "", ...rest] = text.split("/");
  const family = familyOf(address);
  const plain = [withoutLeadingZeros(address), length.replace(/^0+(?=\d)/, "")].join("/");
  const most = family === "IPv4" ? 32 : 128;
  if (!family || rest.length > 0 || !/^\d{1,9}$/.test(length) || Number(length) > most)
    return "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)";
  if (plain !== text) return "must not have leading 0s in IP or prefix length";
  const cidr = parseCidr(text);
  if (!cidr) return "must not have an IPv4-mapped IPv6 address";
  return masked(cidr).bits === cidr.bits ? undefined : "must not have bits set beyond the prefix length";
};

/** Networks with addresses that other machines cannot reach, and the error message for each. */
const unreachable: readonly (readonly [networks: readonly string[], why: string])[] = [
  [["127.0.0.0/8", "::1/128"], "may not be in the loopback range (127.0.0.0/8, ::1/128)"],
  [["169.254.0.0/16", "fe80::/10"], "may not be in the link-local range (169.254.0.0/16, fe80::/10)"],
  [["224.0.0.0/24", "ff02::/16"], "may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)"],
];

/** Validates an address that other machines can reach. */
export const endpointAddress: AddressForm = (text) => {
  const ip = parseIp(text);
  if (ip?.bits === 0n) return `may not be unspecified (${text})`;
  const isIn = (each: string) => {
    const cidr = parseCidr(each);
    return ip !== undefined && cidr !== undefined && within(cidr, ip);
  };
  return unreachable.find(([networks]) => networks.some(isIn))?.[1];
};

/** Validates the host name of a load balancer that has no address. */
export const ingressHostname: AddressForm = (text) =>
  familyOf(text) ? "must be a DNS name, not an IP address" : dnsSubdomain(text);

function withoutLeadingZeros(text: string): string {
  return text.includes(":") ? text : text.replace(/(^|\.)0+(?=\d)/g, "$1");
}
