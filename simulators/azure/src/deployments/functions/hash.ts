import { createHash } from "node:crypto";

const factor1 = 597_399_067;
const factor2 = 2_869_860_233;
const alphabet = "abcdefghijklmnopqrstuvwxyz234567";
/** Namespace of name-based GUIDs in ARM templates. */
const guidNamespace = "11fb06fb712d4dddd898e71bbd588830";

/** Implements `uniqueString`: returns a hash of 13 letters and digits. Templates append it to resource names. */
export function uniqueString(parts: readonly string[]): string {
  let rest = hash64(Buffer.from(parts.join("-")));
  let text = "";
  for (let at = 0; at < 13; at++) {
    text += alphabet[Number(rest >> 59n)];
    rest = BigInt.asUintN(64, rest << 5n);
  }
  return text;
}

/** Returns the template hash by which ARM identifies equal templates. */
export function templateHash(template: unknown): string {
  return hash64(Buffer.from(JSON.stringify(template).toUpperCase())).toString();
}

/** Returns a name-based GUID (RFC 4122, version 5). */
export function guidOf(parts: readonly string[]): string {
  const bytes = createHash("sha1")
    .update(Buffer.from(guidNamespace, "hex"))
    .update(parts.join("-"))
    .digest()
    .subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** MurmurHash variant with two 32-bit lanes. Tests compare it with published values. */
function hash64(bytes: Buffer): bigint {
  let low = 0;
  let high = 0;
  let at = 0;
  for (; at + 8 <= bytes.length; at += 8) {
    low = rotate(low ^ scramble(word(bytes, at), factor1, 15, factor2), 19);
    low = multiplyAdd(low + high, 5, 1_444_728_091);
    high = rotate(high ^ scramble(word(bytes, at + 4), factor2, 17, factor1), 13);
    high = multiplyAdd(high + low, 5, 197_830_471);
  }
  if (at < bytes.length) low ^= scramble(word(bytes, at), factor1, 15, factor2);
  if (at + 4 < bytes.length) high ^= scramble(word(bytes, at + 4), factor2, 17, factor1);
  low ^= bytes.length;
  high ^= bytes.length;
  low = (low + high) | 0;
  high = (high + low) | 0;
  low = mix(low);
  high = mix(high);
  low = (low + high) | 0;
  high = (high + low) | 0;
  return (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0);
}

/** Returns four bytes as a little-endian number. Missing bytes at the end are zero. */
function word(bytes: Buffer, at: number): number {
  if (at + 4 <= bytes.length) return bytes.readInt32LE(at);
  return [0, 1, 2].reduce((value, offset) => value | ((bytes[at + offset] ?? 0) << (8 * offset)), 0);
}

function scramble(value: number, first: number, turn: number, second: number): number {
  return Math.imul(rotate(Math.imul(value, first), turn), second);
}

function rotate(value: number, by: number): number {
  return (value << by) | (value >>> (32 - by));
}

function multiplyAdd(value: number, by: number, plus: number): number {
  return (Math.imul(value | 0, by) + plus) | 0;
}

function mix(value: number): number {
  const first = Math.imul(value ^ (value >>> 16), 2_246_822_507);
  const second = Math.imul(first ^ (first >>> 13), 3_266_489_909);
  return second ^ (second >>> 16);
}
