import { requestBudget } from "@keelson/apimachinery";

/**
 * Field of a message. The value of a numeric field (varint or fixed-size) is its bits. For speed, small values have the type
 * number, and only large values have the type bigint. The value of a string, message or list is its bytes.
 */
export interface WireField {
  readonly number: number;
  readonly value: number | bigint | Uint8Array;
}

/**
 * Yields the fields of a protocol buffer message in order.
 * @throws RangeError for an invalid message, WorkBudgetExceeded
 */
export function* readFields(message: Uint8Array, budget = requestBudget()): Generator<WireField> {
  const view = Buffer.from(message.buffer, message.byteOffset, message.byteLength);
  let at = 0;
  const varint = (): number | bigint => {
    const first = view.readUInt8(at);
    if (first < 0x80) {
      at++;
      return first;
    }
    const second = at + 1 < view.length ? view.readUInt8(at + 1) : 0xff;
    if (second < 0x80) {
      at += 2;
      return (first & 0x7f) | (second << 7);
    }
    return longVarint();
  };
  const longVarint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = BigInt(view.readUInt8(at++));
      value |= (byte & 0x7fn) << shift;
      if (byte < 0x80n) return BigInt.asUintN(64, value);
    }
    throw new RangeError("number exceeds 64 bits");
  };
  while (at < view.length) {
    budget.spend(1);
    const tag = Number(varint());
    const number = Math.floor(tag / 8);
    switch (tag % 8) {
      case 0:
        yield { number, value: varint() };
        break;
      case 1:
        yield { number, value: view.readBigUInt64LE(at) };
        at += 8;
        break;
      case 2: {
        const length = Number(varint());
        if (length > view.length - at) throw new RangeError("field exceeds its message");
        yield { number, value: view.subarray(at, at + length) };
        at += length;
        break;
      }
      case 5:
        yield { number, value: BigInt(view.readUInt32LE(at)) };
        at += 4;
        break;
      default:
        throw new RangeError(`wire type ${tag % 8} is not supported`);
    }
  }
}
