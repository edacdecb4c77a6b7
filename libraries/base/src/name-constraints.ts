/** Names for which a CA may issue certificates. */
export interface PermittedNames {
  /** Permitted domains, including all names below them. */
  readonly dnsNames: readonly string[];
  /** IPv4 or IPv6 networks in bytes: the address, then the mask. */
  readonly networks: readonly Uint8Array[];
}

export const nameConstraintsOid = "2.5.29.30";

const sequence = 0x30;
/** ASN.1 tag of `permittedSubtrees [0]`, constructed. */
const permitted = 0xa0;
/** ASN.1 tags of `dNSName [2]` and `iPAddress [7]` in GeneralName. */
const dnsName = 0x82;
const ipAddress = 0x87;

/** Encodes the extension NameConstraints with permitted names (RFC 5280, 4.2.1.10) in DER. */
export function encodeNameConstraints({ dnsNames, networks }: PermittedNames): Uint8Array {
  const subtrees = [
    ...dnsNames.map((name) => element(sequence, element(dnsName, Buffer.from(name, "ascii")))),
    ...networks.map((network) => element(sequence, element(ipAddress, Buffer.from(network)))),
  ];
  return element(sequence, element(permitted, ...subtrees));
}

function element(tag: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  if (length > 0xffff) throw new RangeError(`${length} bytes are too many for name constraints`);
  const head =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...head]), content]);
}
