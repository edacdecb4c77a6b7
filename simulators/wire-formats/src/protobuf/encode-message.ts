import { exactJson, isPlainObject } from "@keelson/base";
import { allTypes, type ObjectSchema, type TypeSchema } from "@keelson/kinds";
import { fieldNumbers, type MemberTarget, type OrSchema, type Target } from "./decode-message.ts";
import type { ReverseWriter } from "./reverse-writer.ts";

type Numbered = readonly [number: number, target: Target];

/**
 * Writes the protocol buffer message of an object. The message contains the properties that are set. Readers interpret omitted
 * fields as zero or unset.
 */
export function encodeMessage(writer: ReverseWriter, type: ObjectSchema, object: unknown): void {
  if (isPlainObject(object)) writeMembers(writer, type, type.name, object);
}

/** Fields of each message in reverse order. */
const reversed = new Map<string, readonly Numbered[]>();

function fieldsOf(messageName: string): readonly Numbered[] {
  let fields = reversed.get(messageName);
  if (!fields) {
    fields = [...(fieldNumbers().get(messageName) ?? [])].toSorted(([a], [b]) => b - a);
    reversed.set(messageName, fields);
  }
  return fields;
}

/**
 * Writes the properties of `type` that belong to the message `messageName`. `messageName` may name an inlined message, which
 * contains only some of these properties.
 */
function writeMembers(
  writer: ReverseWriter,
  type: ObjectSchema,
  messageName: string,
  object: Readonly<Record<string, unknown>>,
): void {
  for (const [number, target] of fieldsOf(messageName)) {
    if ("inlined" in target) {
      const end = writer.length;
      writeMembers(writer, type, target.inlined, object);
      if (writer.length > end) writer.lengthDelimited(number, end);
      continue;
    }
    const value = object[target.member];
    const schema = type.fields.get(target.member)?.schema;
    if (schema && value !== undefined && value !== null) writeMember(writer, number, target, schema, value);
  }
}

function writeMember(
  writer: ReverseWriter,
  number: number,
  { orSchema }: MemberTarget,
  schema: TypeSchema,
  value: unknown,
): void {
  if (schema.type === "list") {
    for (const item of listOf(value).toReversed()) writeValue(writer, number, schema.items, item);
  } else if (schema.type === "map") {
    for (const [key, each] of Object.entries(isPlainObject(value) ? value : {}).toReversed()) {
      writeEntry(writer, number, key, schema.values, each, orSchema);
    }
  } else writeValue(writer, number, schema, value, orSchema);
}

function writeEntry(
  writer: ReverseWriter,
  number: number,
  key: string,
  values: TypeSchema,
  value: unknown,
  orSchema?: OrSchema,
): void {
  const end = writer.length;
  writeValue(writer, 2, values, value, orSchema);
  writeText(writer, 1, key);
  writer.lengthDelimited(number, end);
}

function writeValue(
  writer: ReverseWriter,
  number: number,
  schema: TypeSchema,
  value: unknown,
  orSchema?: OrSchema,
): void {
  const end = writer.length;
  switch (schema.type) {
    case "boolean":
      writer.varintField(number, value === true ? 1 : 0);
      return;
    case "int32":
    case "int64":
      writer.varintField(number, integerOf(value));
      return;
    case "number":
      writer.doubleField(number, Number(value));
      return;
    case "string":
      writeText(writer, number, String(value));
      return;
    case "bytes":
      writer.raw(Buffer.from(String(value), "base64"));
      break;
    case "object":
      encodeMessage(writer, schema, value);
      break;
    case "list":
      // Protocol buffer maps cannot have lists as values, so the list is wrapped in a message.
      for (const item of listOf(value).toReversed()) writeValue(writer, 1, schema.items, item);
      break;
    case "map":
      for (const [key, each] of Object.entries(isPlainObject(value) ? value : {}).toReversed()) {
        writeEntry(writer, 1, key, schema.values, each);
      }
      break;
    case "time":
    case "microTime":
      writeTime(writer, String(value));
      break;
    case "quantity":
      writeText(writer, 1, String(value));
      break;
    case "intOrString":
      writeIntOrString(writer, value);
      break;
    case "any":
      if (orSchema) writeSchemaOr(writer, orSchema, value);
      else writeText(writer, 1, exactJson(value));
  }
  writer.lengthDelimited(number, end);
}

function writeText(writer: ReverseWriter, number: number, text: string): void {
  const end = writer.length;
  writer.text(text);
  writer.lengthDelimited(number, end);
}

function writeTime(writer: ReverseWriter, text: string): void {
  const [, fraction = ""] = /\.(\d{1,9})/.exec(text) ?? [];
  const nanoseconds = Number(fraction.padEnd(9, "0"));
  if (nanoseconds > 0) writer.varintField(2, nanoseconds);
  const seconds = Math.floor(Date.parse(text) / 1_000);
  writer.varintField(1, Number.isNaN(seconds) ? 0 : seconds);
}

/** Writes an integer or a string. In the message, `type` is 0 for a number and 1 for a string. */
function writeIntOrString(writer: ReverseWriter, value: unknown): void {
  if (typeof value === "string") {
    writeText(writer, 3, value);
    writer.varintField(1, 1);
  } else {
    writer.varintField(2, integerOf(value));
    writer.varintField(1, 0);
  }
}

/**
 * Writes a schema or its alternative. In JSONSchemaPropsOrBool, field 1 is the flag and field 2 is the schema. In the other
 * messages, field 1 is the schema and field 2 is the list.
 */
function writeSchemaOr(writer: ReverseWriter, alternative: OrSchema, value: unknown): void {
  if (alternative === "Empty") return;
  if (isPlainObject(value)) {
    writeSchema(writer, alternative === "Bool" ? 2 : 1, value);
    if (alternative === "Bool") writer.varintField(1, 1);
  } else if (alternative === "Bool") writer.varintField(1, value === true ? 1 : 0);
  else {
    for (const each of listOf(value).toReversed()) {
      if (alternative === "Array") writeSchema(writer, 2, each);
      else writeText(writer, 2, String(each));
    }
  }
}

function writeSchema(writer: ReverseWriter, number: number, value: unknown): void {
  const type = allTypes().get("apiextensions.v1.JSONSchemaProps");
  if (type) writeValue(writer, number, type, value);
}

function integerOf(value: unknown): number | bigint {
  if (typeof value === "bigint") return value;
  const number = Number(value);
  return Number.isFinite(number) ? Math.trunc(number) : 0;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
