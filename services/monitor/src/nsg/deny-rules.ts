import { type Cidr, overlaps, parseCidr } from "@keelson/base";

/** Properties of a security rule that determine whether the rule blocks traffic between the machines of a cluster. */
export interface SecurityRule {
  readonly access?: string;
  readonly sourceAddressPrefix?: string;
  readonly sourceAddressPrefixes?: readonly string[];
  readonly destinationAddressPrefix?: string;
  readonly destinationAddressPrefixes?: readonly string[];
}

/** CIDRs of the subnets of a cluster's machines. */
export interface MachineNetworks {
  readonly masters: readonly string[];
  readonly workers: readonly string[];
}

/** Part of the network to which the source or the destination of a rule applies. */
type Side = "master" | "worker" | "any" | "virtual network";

export function sourcesOf(rule: SecurityRule): readonly string[] {
  return addresses(rule.sourceAddressPrefix, rule.sourceAddressPrefixes);
}

export function destinationsOf(rule: SecurityRule): readonly string[] {
  return addresses(rule.destinationAddressPrefix, rule.destinationAddressPrefixes);
}

/**
 * True for a rule that denies required traffic. Traffic between the cluster's machines is required, except traffic from workers
 * to workers (Azure/ARO-RP pkg/monitor/azure/nsg).
 */
export function isHarmful(rule: SecurityRule, networks: MachineNetworks): boolean {
  if (rule.access === "Allow") return false;
  const sources = sidesOf(sourcesOf(rule), networks);
  const destinations = sidesOf(destinationsOf(rule), networks);
  return [...sources].some((source) =>
    [...destinations].some((destination) => source !== "worker" || destination !== "worker"),
  );
}

function addresses(one: string | undefined, more: readonly string[] = []): readonly string[] {
  return one === undefined ? more : [one, ...more];
}

function sidesOf(texts: readonly string[], { masters, workers }: MachineNetworks): ReadonlySet<Side> {
  const ranges = texts.flatMap(rangeOf);
  const sides = new Set<Side>();
  if (touches(ranges, masters)) sides.add("master");
  if (touches(ranges, workers)) sides.add("worker");
  if (texts.includes("*")) sides.add("any");
  if (texts.includes("VirtualNetwork")) sides.add("virtual network");
  return sides;
}

function touches(ranges: readonly Cidr[], subnets: readonly string[]): boolean {
  const ofSubnets = subnets.flatMap(rangeOf);
  return ranges.some((range) =>
    ofSubnets.some((subnet) => range.family === 4 && subnet.family === 4 && overlaps(range, subnet)),
  );
}

/** Returns the address ranges that a string denotes. Empty for service tags and other strings without addresses. */
function rangeOf(text: string): readonly Cidr[] {
  const range = parseCidr(text.includes("/") ? text : `${text}/32`);
  return range ? [range] : [];
}
