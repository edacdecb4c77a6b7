import { isPlainObject } from "@keelson/base";
import { durationText, timestampText } from "./values/time.ts";
import type { ListShape } from "./values/value.ts";
import {
  errorValue,
  isError,
  type ListValue,
  type MapValue,
  type ObjectValue,
  type Result,
  type Value,
} from "./values/value.ts";

/**
 * Converts untyped JSON to a CEL value. Safe integers become ints, objects become maps. The conversion runs in constant time,
 * because lists and maps convert their elements only when these are read.
 */
export function fromJson(json: unknown): Result {
  switch (typeof json) {
    case "string":
    case "boolean":
    case "bigint":
      return json;
    case "number":
      return Number.isSafeInteger(json) ? BigInt(json) : json;
    default:
  }
  if (json === null) return null;
  if (Array.isArray(json)) return listFromJson(json, fromJson);
  if (isPlainObject(json)) return mapFromJson(json, fromJson);
  return errorValue("unsupported value");
}

export function listFromJson(
  json: readonly unknown[],
  read: (element: unknown) => Result,
  shape?: ListShape,
): ListValue {
  const list: ListValue = { kind: "list", size: json.length, at: (position) => read(json[position]) };
  return shape ? { ...list, shape } : list;
}

export function mapFromJson(
  json: Readonly<Record<string, unknown>>,
  read: (member: unknown) => Result,
): MapValue {
  return {
    kind: "map",
    get size() {
      return keysOf(json).length;
    },
    get: (key) => (typeof key === "string" && Object.hasOwn(json, key) ? read(json[key]) : undefined),
    keys: () => keysOf(json),
  };
}

/**
 * Keys of objects, cached because an expression may request the keys in each loop iteration. Objects must not change during
 * evaluation.
 */
const keys = new WeakMap<object, readonly string[]>();

function keysOf(json: Readonly<Record<string, unknown>>): readonly string[] {
  const known = keys.get(json);
  if (known) return known;
  const found = Object.keys(json);
  keys.set(json, found);
  return found;
}

/** Field of an object: its JSON property and the conversion of its value. */
export interface JsonField {
  readonly member: string;
  readonly read: (json: unknown) => Result;
}

/** Wraps JSON as an object with fields. Properties without a field are hidden. */
export function objectFromJson(
  json: Readonly<Record<string, unknown>>,
  typeName: string,
  fields: ReadonlyMap<string, JsonField>,
): ObjectValue {
  return {
    kind: "object",
    typeName,
    get: (name) => {
      const field = fields.get(name);
      return field && Object.hasOwn(json, field.member) ? field.read(json[field.member]) : undefined;
    },
    fields: () => keysOf(json).flatMap((member) => namesByMember(fields).get(member) ?? []),
  };
}

const names = new WeakMap<ReadonlyMap<string, JsonField>, ReadonlyMap<string, readonly string[]>>();

/** Returns the field names by JSON property. */
function namesByMember(fields: ReadonlyMap<string, JsonField>): ReadonlyMap<string, readonly string[]> {
  const known = names.get(fields);
  if (known) return known;
  const byMember = new Map<string, string[]>();
  for (const [name, { member }] of fields) {
    const same = byMember.get(member);
    if (same) same.push(name);
    else byMember.set(member, [name]);
  }
  names.set(fields, byMember);
  return byMember;
}

/** Returns the integer as a number, or as a bigint if a number cannot represent it exactly. */
function integerToJson(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

/** Converts a value to JSON. Returns undefined for values that have no JSON form. */
export function toJson(value: Value): unknown {
  if (typeof value === "bigint") return integerToJson(value);
  if (typeof value !== "object" || value === null) return value;
  switch (value.kind) {
    case "uint":
      return integerToJson(value.value);
    case "bytes":
      return Buffer.from(value.bytes).toString("base64");
    case "timestamp":
      return timestampText(value.nanos);
    case "duration":
      return durationText(value.nanos);
    case "list":
      return Array.from({ length: value.size }, (_, at) => resultToJson(value.at(at)));
    case "map":
      return Object.fromEntries(value.keys().map((key) => [String(key), resultToJson(value.get(key))]));
    case "object":
      return Object.fromEntries(value.fields().map((field) => [field, resultToJson(value.get(field))]));
    case "optional":
      return value.value === undefined ? undefined : toJson(value.value);
    default:
      return undefined;
  }
}

function resultToJson(result: Result | undefined): unknown {
  return result === undefined || isError(result) ? null : toJson(result);
}
