import { isIP } from "node:net";
import { listAt, stringAt } from "@keelson/base";
import type { KubeObject } from "@keelson/kube";

const serviceNames = ["kubernetes", "openshift"].flatMap((name) =>
  ["", ".default", ".default.svc", ".default.svc.cluster.local"].map((suffix) => `${name}${suffix}`),
);

/**
 * Returns the names and addresses of the API server on the service network.
 * @throws Error if the Network has no service network
 */
export function serviceHostnames(network: KubeObject | undefined): readonly string[] {
  const ranges = listAt(network, "status", "serviceNetwork");
  if (ranges.length === 0) throw new Error("empty networkConfig ServiceNetwork, can't generate cert");
  return [...serviceNames, ...ranges.map(firstAddress)];
}

/**
 * Returns the host of an API server URL in the Infrastructure's status.
 * @throws Error if the URL is not set
 */
export function loadBalancerHostname(
  infrastructure: KubeObject | undefined,
  member: "apiServerURL" | "apiServerInternalURI",
): string {
  const text = stringAt(infrastructure, "status", member) ?? "";
  const url = URL.parse(text);
  if (!url?.hostname)
    throw new Error(
      `infrastructure/cluster: status.${member} ${JSON.stringify(text)} is not a URL with a host`,
    );
  return url.hostname.replace(/^\[(.*)\]$/, "$1");
}

/** Returns the first address of an IP range, directly after the network address. */
function firstAddress(range: unknown): string {
  const [address = "", prefix = ""] = typeof range === "string" ? range.split("/") : [];
  const version = isIP(address);
  const bits = version === 4 ? 32 : 128;
  const length = /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.NaN;
  if (version === 0 || !(length < bits))
    throw new Error(`network/cluster: status.serviceNetwork ${JSON.stringify(range)} is not a CIDR`);
  const groups = groupsOf(address, version);
  const size = BigInt(bits / groups.length);
  const value = groups.reduce((sum, group) => (sum << size) | BigInt(group), 0n);
  const hostBits = BigInt(bits - length);
  return version === 4
    ? formatV4(((value >> hostBits) << hostBits) | 1n)
    : formatV6(((value >> hostBits) << hostBits) | 1n);
}

function groupsOf(address: string, version: number): readonly number[] {
  if (version === 4) return address.split(".").map(Number);
  const [head = "", tail] = canonicalV6(address).split("::");
  const groups = (text: string) =>
    text === "" ? [] : text.split(":").map((each) => Number.parseInt(each, 16));
  if (tail === undefined) return groups(head);
  const [before, after] = [groups(head), groups(tail)];
  return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after];
}

function formatV4(value: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => Number((value >> shift) & 255n)).join(".");
}

function formatV6(value: bigint): string {
  const groups = Array.from({ length: 8 }, (_, at) =>
    ((value >> BigInt(112 - at * 16)) & 0xffffn).toString(16),
  );
  return canonicalV6(groups.join(":"));
}

/** Returns the canonical form of an IPv6 address in URLs (RFC 5952). */
function canonicalV6(address: string): string {
  return new URL(`http://[${address}]`).hostname.slice(1, -1);
}
