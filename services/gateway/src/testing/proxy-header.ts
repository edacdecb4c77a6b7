export interface ProxyHeaderOptions {
  readonly linkId?: number;
  /**
   * Fields that precede the link ID field. `length` replaces the real length of `value` in the encoded field, for invalid
   * headers.
   */
  readonly fields?: readonly { readonly type: number; readonly value: Buffer; readonly length?: number }[];
  readonly version?: number;
  /** Address family. Default: IPv4. */
  readonly family?: number;
  readonly isLocal?: boolean;
}

/** Returns a PROXY protocol version 2 header as sent by Azure's private link service. */
export function proxyHeader(options: ProxyHeaderOptions): Buffer {
  const { linkId, fields = [], version = 2, family = 1, isLocal = false } = options;
  const rest = Buffer.concat([
    Buffer.from([10, 0, 0, 4, 10, 1, 0, 8]),
    Buffer.from([0xc0, 0x01, 0x01, 0xbb]),
    ...fields.map(({ type, value, length }) => field(type, value, length)),
    ...(linkId === undefined ? [] : [field(0xee, linkValue(linkId))]),
  ]);
  const fixed = Buffer.from("\r\n\r\n\0\r\nQUIT\n\0\0\0\0", "latin1");
  fixed.writeUInt8((version << 4) | (isLocal ? 0 : 1), 12);
  fixed.writeUInt8((family << 4) | 1, 13);
  fixed.writeUInt16BE(rest.length, 14);
  return Buffer.concat([fixed, rest]);
}

function linkValue(linkId: number): Buffer {
  const value = Buffer.from([1, 0, 0, 0, 0]);
  value.writeUInt32LE(linkId, 1);
  return value;
}

function field(type: number, value: Buffer, length = value.length): Buffer {
  return Buffer.concat([Buffer.from([type, length >> 8, length & 0xff]), value]);
}
