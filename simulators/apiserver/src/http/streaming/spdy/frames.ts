/** Types of control frames (SPDY/3.1 section 2.6). */
export const frameTypes = {
  synStream: 1,
  synReply: 2,
  rstStream: 3,
  settings: 4,
  ping: 6,
  goAway: 7,
} as const;

export const flagFin = 1;

/** Frame header of eight bytes. `length` is the size of the payload that follows. */
export type FrameHead =
  | { readonly kind: "data"; readonly stream: number; readonly flags: number; readonly length: number }
  | {
      readonly kind: "control";
      readonly version: number;
      readonly type: number;
      readonly flags: number;
      readonly length: number;
    };

export const frameHeadBytes = 8;
const version = 3;

export function readFrameHead(bytes: Buffer): FrameHead {
  const first = bytes.readUInt32BE(0);
  const flags = bytes.readUInt8(4);
  const length = bytes.readUIntBE(5, 3);
  return first >>> 31 === 0
    ? { kind: "data", stream: first, flags, length }
    : { kind: "control", version: (first >>> 16) & 0x7fff, type: first & 0xffff, flags, length };
}

export function dataFrame(stream: number, data: Uint8Array, fin = false): Buffer {
  const head = Buffer.alloc(frameHeadBytes);
  head.writeUInt32BE(stream & 0x7fffffff, 0);
  head.writeUInt8(fin ? flagFin : 0, 4);
  head.writeUIntBE(data.length, 5, 3);
  return data.length === 0 ? head : Buffer.concat([head, data]);
}

export function controlFrame(type: number, payload: Buffer, flags = 0): Buffer {
  const head = Buffer.alloc(frameHeadBytes);
  head.writeUInt16BE(0x8000 | version, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt8(flags, 4);
  head.writeUIntBE(payload.length, 5, 3);
  return Buffer.concat([head, payload]);
}

/** Encodes 32-bit numbers, with which most control frames begin. */
export function words(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  values.forEach((value, index) => void bytes.writeUInt32BE(value >>> 0, 4 * index));
  return bytes;
}
