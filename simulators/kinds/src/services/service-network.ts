/** Service network of OpenShift's installer. */
const base = "172.30";

/** Number of Service addresses, without the network and broadcast addresses. */
export const addressCount = 65_534;

/**
 * Size of the first part of the range. It is preferred for explicit requests, such as the addresses of the
 * API server and DNS. Automatic allocation uses it last.
 */
export const askedAddresses = 256;

/** Address at an index of the service network, starting with 0. */
export function addressAt(place: number): string {
  const host = place + 1;
  return `${base}.${host >> 8}.${host & 0xff}`;
}

export function isServiceAddress(address: string): boolean {
  const [, third, fourth] = /^172\.30\.(\d+)\.(\d+)$/.exec(address) ?? [];
  const host = (Number(third) << 8) | Number(fourth);
  return third !== undefined && host >= 1 && host <= addressCount;
}

/** Range of node ports. */
export const firstNodePort = 30_000;
export const nodePortCount = 2_768;
/** Size of the first part of the range, which automatic allocation uses last. */
export const askedNodePorts = 86;
