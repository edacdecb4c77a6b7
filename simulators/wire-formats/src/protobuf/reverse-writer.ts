const firstBytes = 1_024;

/**
 * Writes a protocol buffer message from its end to its beginning. The length of a nested message is then known before its header
 * is written. Data is copied only when the buffer grows.
 */
export class ReverseWriter {
  #buffer = Buffer.allocUnsafe(firstBytes);
  /** Index of the first written byte. */
  #at = firstBytes;

  /** Number of written bytes. */
  get length(): number {
    return this.#buffer.length - this.#at;
  }

  /** Returns the written bytes. Do not use the writer afterwards. */
  bytes(): Buffer {
    return this.#buffer.subarray(this.#at);
  }

  raw(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#at -= bytes.length;
    this.#buffer.set(bytes, this.#at);
  }

  text(text: string): void {
    const length = Buffer.byteLength(text);
    this.#reserve(length);
    this.#at -= length;
    this.#buffer.write(text, this.#at);
  }

  /**
   * Writes the tag and the length of a field. The content of the field consists of all bytes that were written since the writer's
   * length was `end`.
   */
  lengthDelimited(number: number, end: number): void {
    this.varint(this.length - end);
    this.varint(number * 8 + 2);
  }

  varintField(number: number, value: number | bigint): void {
    this.varint(value);
    this.varint(number * 8);
  }

  doubleField(number: number, value: number): void {
    this.#reserve(8);
    this.#at -= 8;
    this.#buffer.writeDoubleLE(value, this.#at);
    this.varint(number * 8 + 1);
  }

  varint(value: number | bigint): void {
    if (typeof value === "number" && value >= 0 && value < 0x80) {
      this.#reserve(1);
      this.#buffer[--this.#at] = value;
      return;
    }
    const bytes: number[] = [];
    if (typeof value === "number" && value >= 0 && value <= Number.MAX_SAFE_INTEGER) {
      let rest = value;
      for (; rest > 0x7f; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 0x80);
      bytes.push(rest);
      this.raw(Uint8Array.from(bytes));
      return;
    }
    // Negative numbers are always written with 64 bits, even if their type has 32 bits.
    let rest = BigInt.asUintN(64, BigInt(value));
    for (; rest > 0x7fn; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
    bytes.push(Number(rest));
    this.raw(Uint8Array.from(bytes));
  }

  #reserve(length: number): void {
    if (this.#at >= length) return;
    const used = this.length;
    const grown = Buffer.allocUnsafe(Math.max(2 * this.#buffer.length, used + length));
    this.#buffer.copy(grown, grown.length - used, this.#at);
    this.#at = grown.length - used;
    this.#buffer = grown;
  }
}
