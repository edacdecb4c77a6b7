/** Encoded field. A message is the concatenation of its fields. */
export type Field = Buffer;

/** Encodes a string field. An empty string is omitted, as in proto3. */
export function textField(number: number, value: string | undefined): Field {
  return value ? lengthDelimited(number, Buffer.from(value)) : empty;
}

export function textFields(number: number, values: readonly string[] | undefined): Field {
  return Buffer.concat((values ?? []).map((value) => lengthDelimited(number, Buffer.from(value))));
}

export function flagField(number: number, value: boolean | undefined): Field {
  return value ? Buffer.concat([varint(number << 3), varint(1)]) : empty;
}

/** Encodes a nested message. `undefined` omits the field. An empty message is written. */
export function messageField(number: number, fields: readonly Field[] | undefined): Field {
  return fields ? lengthDelimited(number, Buffer.concat(fields)) : empty;
}

const empty = Buffer.alloc(0);

function lengthDelimited(number: number, content: Buffer): Field {
  return Buffer.concat([varint((number << 3) | 2), varint(content.length), content]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 0x7f) {
    bytes.push((rest & 0x7f) | 0x80);
    rest >>>= 7;
  }
  return Buffer.from([...bytes, rest]);
}
