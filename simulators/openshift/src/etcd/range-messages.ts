import { readFields } from "@keelson/apiserver";

/** Range request of etcd (etcdserverpb.RangeRequest). */
export interface RangeRequest {
  readonly key: Buffer;
  /**
   * End of the range, exclusive. If `end` is empty, the range contains only `key`. If `end` is a single zero byte, the range
   * contains `key` and all later keys.
   */
  readonly end: Buffer;
  /** Maximum number of keys. 0: unlimited. */
  readonly limit: number;
  /** Revision to read. 0 selects the latest revision. */
  readonly revision: number;
  readonly descending: boolean;
  readonly keysOnly: boolean;
  readonly countOnly: boolean;
}

/** Key with its value (mvccpb.KeyValue). */
export interface KeyValue {
  readonly key: Buffer;
  readonly value: Buffer;
  readonly modRevision: number;
}

interface RangeResponse {
  readonly revision: number;
  readonly keyValues: readonly KeyValue[];
  readonly more: boolean;
  readonly count: number;
}

/** Identifiers in response headers. They have no meaning for clients. */
const clusterId = 1;
const memberId = 1;
const raftTerm = 2;
/** Value of `sort_order` for descending order. */
const descend = 2;

/** @throws RangeError for an invalid message */
export function decodeRangeRequest(message: Uint8Array): RangeRequest {
  const fields = new Map([...readFields(message)].map(({ number, value }) => [number, value]));
  const bytes = (number: number) => {
    const value = fields.get(number);
    return value instanceof Uint8Array ? Buffer.from(value) : Buffer.alloc(0);
  };
  const integer = (number: number) => {
    const value = fields.get(number) ?? 0;
    return value instanceof Uint8Array ? 0 : Number(value);
  };
  return {
    key: bytes(1),
    end: bytes(2),
    limit: integer(3),
    revision: integer(4),
    descending: integer(5) === descend,
    keysOnly: integer(8) === 1,
    countOnly: integer(9) === 1,
  };
}

/** Encodes an etcdserverpb.RangeResponse. */
export function encodeRangeResponse({ revision, keyValues, more, count }: RangeResponse): Buffer {
  const header = [
    ...number(1, clusterId),
    ...number(2, memberId),
    ...number(3, revision),
    ...number(4, raftTerm),
  ];
  const parts: Buffer[] = [...delimited(1, [Buffer.from(header)])];
  for (const { key, value, modRevision } of keyValues) {
    // The store has only the latest revision of an object. The creation revision therefore equals the modification revision, and
    // the version is 1.
    const revisions = [...number(2, modRevision), ...number(3, modRevision), ...number(4, 1)];
    parts.push(...delimited(2, [...delimited(1, [key]), Buffer.from(revisions), ...delimited(5, [value])]));
  }
  return Buffer.concat([...parts, Buffer.from([...number(3, more ? 1 : 0), ...number(4, count)])]);
}

/** Encodes an integer field. Zero is omitted. */
function number(field: number, value: number): readonly number[] {
  return value === 0 ? [] : [field << 3, ...varint(value)];
}

/** Encodes a field of bytes. An empty field is omitted. */
function delimited(field: number, content: readonly Buffer[]): readonly Buffer[] {
  const length = content.reduce((sum, each) => sum + each.length, 0);
  return length === 0 ? [] : [Buffer.from([(field << 3) | 2, ...varint(length)]), ...content];
}

function varint(value: number): readonly number[] {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 0x80) {
    bytes.push((rest % 0x80) | 0x80);
    rest = Math.floor(rest / 0x80);
  }
  return [...bytes, rest];
}
