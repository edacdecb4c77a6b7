/** First two bytes of the service network. OpenShift's installer uses this network by default. */
const base = "172.30";

/** Number of Service addresses. The network and broadcast addresses are excluded. */
export const addressCount = 65_534;

/**
 * Size of the first part of the address range. This part is intended for addresses that a Service requests, such as the address
 * of DNS. Automatic allocation uses this part last.
 */
export const askedAddresses = 256;

/** Returns the address at an index of the service network, starting with 0. */
export function addressAt(place: number): string {
  const host = place + 1;
  return `${base}.${host >> 8}.${host & 0xff}`;
}

export function isServiceAddress(address: string): boolean {
  const [, third, fourth] = /^172\.30\.(\d+)\.(\d+)$/.exec(address) ?? [];
  const host = (Number(third) << 8) | Number(fourth);
  return third !== undefined && host >= 1 && host <= addressCount;
}

/** First port of the node port range. */
export const firstNodePort = 30_000;
/** Number of ports in the node port range. */
export const nodePortCount = 2_768;
/** Size of the first part of the node port range. Automatic allocation uses this part last. */
export const askedNodePorts = 86;
