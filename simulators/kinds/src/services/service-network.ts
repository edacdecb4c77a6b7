/** The service network of OpenShift's installer. */
const base = "172.30";

/** How many addresses a Service may have: all but the network's own and its broadcast address. */
export const addressCount = 65_534;

/** Addresses that are given to those who ask for them, as the API server's and that of DNS, before any others. */
export const askedAddresses = 256;

/** The address at a place of the service network, from 0 on. */
export function addressAt(place: number): string {
  const host = place + 1;
  return `${base}.${host >> 8}.${host & 0xff}`;
}

export function isServiceAddress(address: string): boolean {
  const [, third, fourth] = /^172\.30\.(\d+)\.(\d+)$/.exec(address) ?? [];
  const host = (Number(third) << 8) | Number(fourth);
  return third !== undefined && host >= 1 && host <= addressCount;
}

/** The ports of nodes that Services may have. */
export const firstNodePort = 30_000;
export const nodePortCount = 2_768;
/** The first of them are given to those who ask for them, before any others. */
export const askedNodePorts = 86;
