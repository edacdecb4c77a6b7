/**
 * Header that Azure's private link service prepends to a connection: PROXY protocol version 2. Sources:
 * haproxy.org `doc/proxy-protocol.txt` 2.2; Azure Private Link, "Getting connection information using TCP Proxy
 * v2".
 */

const signature = Buffer.from("\r\n\r\n\0\r\nQUIT\n", "latin1");
/** Size of the fixed header fields: signature, version and command, family, length. */
const fixedBytes = 16;
/** Maximum size of the variable header fields in bytes. Azure sends about 80 bytes. The format allows 65,535 bytes. */
const longestRestBytes = 4_096;
/** Size of the address fields in bytes, by address family. */
const addressBytes: Readonly<Record<number, number>> = { 0: 0, 1: 12, 2: 36, 3: 216 };

const azureType = 0xee;
const linkIdSubtype = 0x01;
const linkIdBytes = 5;

export type ProxyHeader =
  | { readonly kind: "incomplete" }
  /** The connection has no PROXY header, so it does not come from a private endpoint. Health probes are such connections. */
  | { readonly kind: "absent" }
  | { readonly kind: "malformed"; readonly reason: string }
  | {
      readonly kind: "complete";
      /** Length of the header in bytes. The client's data follows the header. */
      readonly bytes: number;
      /** Decimal ID of the private endpoint connection. Undefined if the header does not contain the ID. */
      readonly linkId?: string;
    };

/** Parses the header. `data` contains the first bytes of the connection. */
export function readProxyHeader(data: Buffer): ProxyHeader {
  const known = Math.min(data.length, signature.length);
  if (data.compare(signature, 0, known, 0, known) !== 0) return { kind: "absent" };
  if (data.length < fixedBytes) return { kind: "incomplete" };
  const versionAndCommand = data.readUInt8(12);
  if (versionAndCommand >> 4 !== 2) return malformed(`version ${versionAndCommand >> 4}`);
  const rest = data.readUInt16BE(14);
  if (rest > longestRestBytes) return malformed(`a header of ${fixedBytes + rest} bytes`);
  const bytes = fixedBytes + rest;
  if (data.length < bytes) return { kind: "incomplete" };
  // The command LOCAL identifies a health probe of the load balancer. Such a connection has no link.
  if ((versionAndCommand & 0x0f) === 0) return { kind: "complete", bytes };
  const addresses = addressBytes[data.readUInt8(13) >> 4];
  if (addresses === undefined || addresses > rest)
    return malformed("addresses of an unknown family or length");
  return readFields(data.subarray(fixedBytes + addresses, bytes), bytes);
}

/** Parses the type-length-value fields up to the end of the header. */
function readFields(data: Buffer, bytes: number): ProxyHeader {
  for (let at = 0; at < data.length; ) {
    if (at + 3 > data.length) return malformed("a field without a length");
    const type = data.readUInt8(at);
    const value = data.subarray(at + 3, at + 3 + data.readUInt16BE(at + 1));
    if (at + 3 + data.readUInt16BE(at + 1) > data.length) return malformed("a field longer than the header");
    if (type === azureType && value.length === linkIdBytes && value.readUInt8(0) === linkIdSubtype)
      return { kind: "complete", bytes, linkId: `${value.readUInt32LE(1)}` };
    at += 3 + value.length;
  }
  return { kind: "complete", bytes };
}

function malformed(reason: string): ProxyHeader {
  return { kind: "malformed", reason };
}
