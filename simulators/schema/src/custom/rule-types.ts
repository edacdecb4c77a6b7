import { isPlainObject } from "@keelson/base";
import {
  type BytesValue,
  celTypes,
  errorValue,
  fromJson,
  type JsonField,
  type ListShape,
  listFromJson,
  mapFromJson,
  objectFromJson,
  parseDuration,
  parseTimestamp,
  type Result,
  reservedWords,
  type Type,
} from "@keelson/cel";
import { estimatedElements, estimatedEntries, longestText } from "./serialized-size.ts";
import type { StructuralSchema } from "./structural-schema.ts";

const { bool, bytes, double, duration, dyn, int, listType, mapType, objectType, string, timestamp } =
  celTypes;

/** CEL type of a schema's values, and the conversion of the values from JSON. */
export interface RuleType {
  readonly type: Type;
  readonly read: (json: unknown) => Result;
  /** Minimum JSON size of a value in bytes. */
  readonly minBytes: number;
}

const known = new WeakMap<StructuralSchema, { resource?: RuleType | null; plain?: RuleType | null }>();

/** Returns the CEL type of a schema. Undefined for values that rules cannot access, for example values of unknown structure. */
export function ruleTypeOf(
  schema: StructuralSchema,
  isResource = schema.embeddedResource,
): RuleType | undefined {
  const kept = known.get(schema) ?? {};
  known.set(schema, kept);
  const key = isResource ? "resource" : "plain";
  const found = kept[key];
  if (found !== undefined) return found ?? undefined;
  const made = nullable(make(schema, isResource));
  kept[key] = made ?? null;
  return made;
}

/** Returns the type `rule`, extended by the value null. Rules can compare a value of this type with null. */
function nullable(rule: RuleType | undefined): RuleType | undefined {
  return rule && { ...rule, read: (json) => (json === null ? null : rule.read(json)) };
}

function make(schema: StructuralSchema, isResource: boolean): RuleType | undefined {
  if (schema.intOrString)
    return { type: { ...dyn, maxSize: maxTextSize(schema) }, read: fromJson, minBytes: 1 };
  switch (schema.type) {
    case "boolean":
      return { type: bool, read: (json) => (typeof json === "boolean" ? json : mismatch(json)), minBytes: 4 };
    case "integer":
      return {
        type: int,
        read: (json) =>
          typeof json === "bigint" || (typeof json === "number" && Number.isInteger(json))
            ? BigInt(json)
            : mismatch(json),
        minBytes: 1,
      };
    case "number":
      return {
        type: double,
        read: (json) =>
          typeof json === "number" || typeof json === "bigint" ? Number(json) : mismatch(json),
        minBytes: 1,
      };
    case "string":
      return textType(schema);
    case "array":
      return arrayType(schema);
    case "object":
      return schema.additionalProperties === undefined || isResource
        ? fieldsType(schema, isResource)
        : additionalType(schema);
    default:
      return isResource ? fieldsType(schema, isResource) : undefined;
  }
}

function mismatch(json: unknown): Result {
  return errorValue(`unexpected value of type ${Array.isArray(json) ? "array" : typeof json}`);
}

/** Maximum bytes per character. Costs are estimated in bytes. */
const bytesPerCharacter = 4;
const longestTime = 32;
const longestDate = 12;

/** Returns the maximum string size in bytes for a schema. Without a limit in the schema, the request size is the limit. */
function maxTextSize({ maxLength, enum: values, intOrString }: StructuralSchema): number {
  if (maxLength !== undefined) return Math.max(0, maxLength) * bytesPerCharacter;
  if (intOrString || !values || values.length === 0) return longestText;
  return values.reduce<number>(
    (most, each) => Math.max(most, typeof each === "string" ? Buffer.byteLength(each) : 0),
    0,
  );
}

function textType(schema: StructuralSchema): RuleType {
  const { format, maxLength } = schema;
  const reader =
    (parse: (text: string) => Result): RuleType["read"] =>
    (json) =>
      typeof json === "string" ? parse(json) : mismatch(json);
  switch (format) {
    case "byte":
      return {
        type: { ...bytes, maxSize: maxLength ?? longestText },
        read: reader((text) => new EncodedBytes(text)),
        minBytes: 2,
      };
    case "duration":
      return {
        type: { ...duration, maxSize: longestTime },
        read: reader((text) => {
          const nanos = parseDuration(text);
          return nanos === undefined ? errorValue(`invalid duration ${text}`) : { kind: "duration", nanos };
        }),
        minBytes: 3,
      };
    case "date":
      return {
        type: { ...timestamp, maxSize: longestDate },
        read: reader((text) => timeOf(`${text}T00:00:00Z`)),
        minBytes: 12,
      };
    case "date-time":
      return { type: { ...timestamp, maxSize: longestTime }, read: reader(timeOf), minBytes: 21 };
    default:
      return { type: { ...string, maxSize: maxTextSize(schema) }, read: reader((text) => text), minBytes: 2 };
  }
}

/** Byte string that is decoded from base64 only when a rule uses its bytes. */
class EncodedBytes implements BytesValue {
  readonly kind = "bytes";
  readonly #text: string;
  #bytes: Uint8Array | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  get bytes(): Uint8Array {
    this.#bytes ??= Buffer.from(this.#text, "base64");
    return this.#bytes;
  }
}

function timeOf(text: string): Result {
  const nanos = parseTimestamp(text);
  return nanos === undefined ? errorValue(`invalid time ${text}`) : { kind: "timestamp", nanos };
}

function arrayType({ items, listType: kind, listMapKeys, maxItems }: StructuralSchema): RuleType | undefined {
  const element = items && ruleTypeOf(items);
  if (!element) return undefined;
  const shape: ListShape | undefined =
    kind === "set" ? { kind: "set" } : kind === "map" ? { kind: "map", keys: listMapKeys } : undefined;
  return {
    type: listType(element.type, maxItems ?? estimatedElements(element.minBytes)),
    read: (json) => (Array.isArray(json) ? listFromJson(json, element.read, shape) : mismatch(json)),
    minBytes: 2,
  };
}

function additionalType({ additionalProperties, maxProperties }: StructuralSchema): RuleType | undefined {
  if (!additionalProperties || additionalProperties === "any") return undefined;
  const value = ruleTypeOf(additionalProperties);
  if (!value) return undefined;
  return {
    // The cost estimate does not include the keys.
    type: mapType(string, value.type, maxProperties ?? estimatedEntries(value.minBytes)),
    read: (json) => (isPlainObject(json) ? mapFromJson(json, value.read) : mismatch(json)),
    minBytes: 2,
  };
}

const text: RuleType = { type: { ...string, maxSize: longestText }, read: fromJson, minBytes: 2 };
const metadataFields = new Map<string, JsonField & { readonly type: Type }>(
  ["name", "generateName"].map((member) => [member, { member, ...text }]),
);
const metadataType = objectType("object", (name) => metadataFields.get(name)?.type);
const metadata: RuleType = {
  type: metadataType,
  read: (json) => (isPlainObject(json) ? objectFromJson(json, "object", metadataFields) : mismatch(json)),
  minBytes: 2,
};

function fieldsType(schema: StructuralSchema, isResource: boolean): RuleType {
  const fields = new Map<string, JsonField & { readonly type: Type }>();
  const add = (member: string, rule: RuleType | undefined) => {
    if (!rule) return;
    for (const name of fieldNamesOf(member)) fields.set(name, { member, ...rule });
  };
  const required = new Set(schema.required);
  let minBytes = 2;
  for (const [member, property] of schema.properties) {
    const rule = ruleTypeOf(property);
    add(member, rule);
    // A request may omit a required field that has a default. The minimum size therefore does not include such a field.
    if (rule && required.has(member) && property.default === undefined) {
      minBytes += Buffer.byteLength(member) + 4 + rule.minBytes;
    }
  }
  if (isResource) {
    add("apiVersion", text);
    add("kind", text);
    add("metadata", metadata);
  }
  return {
    type: objectType("object", (name) => fields.get(name)?.type),
    read: (json) => (isPlainObject(json) ? objectFromJson(json, "object", fields) : mismatch(json)),
    minBytes,
  };
}

const escapes: Readonly<Record<string, string>> = {
  __: "__underscores__",
  ".": "__dot__",
  "-": "__dash__",
  "/": "__slash__",
};

/**
 * Returns the names by which rules access a field. Names that are not identifiers are escaped. A reserved word can be used both
 * unescaped and escaped. Empty if rules cannot access the field.
 */
function fieldNamesOf(member: string): readonly string[] {
  if (!/^[a-zA-Z_.\-/][a-zA-Z0-9_.\-/]*$/.test(member)) return [];
  if (reservedWords.has(member)) return [`__${member}__`, member];
  return [member.replace(/__|[.\-/]/g, (found) => escapes[found] ?? found)];
}
