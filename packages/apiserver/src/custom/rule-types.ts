import { isPlainObject } from "@keelson/base";
import {
  fromJson,
  type JsonField,
  listFromJson,
  mapFromJson,
  objectFromJson,
  type Result,
  type Type,
} from "../cel/index.ts";
import { parseDuration, parseTimestamp } from "../cel/time.ts";
import {
  bool,
  bytes,
  double,
  duration,
  dyn,
  int,
  type ListShape,
  listType,
  mapType,
  objectType,
  string,
  timestamp,
} from "../cel/type.ts";
import { type BytesValue, errorValue } from "../cel/value.ts";
import { estimatedElements } from "./serialized-size.ts";
import type { StructuralSchema } from "./structural-schema.ts";

/** How the values of a schema look to rules: their type, and how JSON is read as it. */
export interface RuleType {
  readonly type: Type;
  readonly read: (json: unknown) => Result;
}

const known = new WeakMap<StructuralSchema, { resource?: RuleType | null; plain?: RuleType | null }>();

/** `undefined` for values that rules cannot see, such as those whose fields nobody knows. */
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

/** Null stays null, whatever the type says: rules compare with it. */
function nullable(rule: RuleType | undefined): RuleType | undefined {
  return rule && { type: rule.type, read: (json) => (json === null ? null : rule.read(json)) };
}

function make(schema: StructuralSchema, isResource: boolean): RuleType | undefined {
  if (schema.intOrString) return { type: dyn, read: fromJson };
  switch (schema.type) {
    case "boolean":
      return { type: bool, read: (json) => (typeof json === "boolean" ? json : mismatch(json)) };
    case "integer":
      return {
        type: int,
        read: (json) => (typeof json === "number" && Number.isInteger(json) ? BigInt(json) : mismatch(json)),
      };
    case "number":
      return { type: double, read: (json) => (typeof json === "number" ? json : mismatch(json)) };
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

function textType({ format, maxLength, enum: values }: StructuralSchema): RuleType {
  const longest = values?.reduce<number>((most, each) => Math.max(most, String(each).length), 0);
  const maxSize = longest ?? maxLength;
  const bound = <V>(type: Type<V>): Type<V> => (maxSize === undefined ? type : { ...type, maxSize });
  const reader =
    (parse: (text: string) => Result): RuleType["read"] =>
    (json) =>
      typeof json === "string" ? parse(json) : mismatch(json);
  switch (format?.replaceAll("-", "")) {
    case "byte":
      return {
        type: bound(bytes),
        read: reader((text) => new EncodedBytes(text)),
      };
    case "duration":
      return {
        type: duration,
        read: reader((text) => {
          const nanos = parseDuration(text);
          return nanos === undefined ? errorValue(`invalid duration ${text}`) : { kind: "duration", nanos };
        }),
      };
    case "date":
      return { type: timestamp, read: reader((text) => timeOf(`${text}T00:00:00Z`)) };
    case "datetime":
      return { type: timestamp, read: reader(timeOf) };
    default:
      return { type: bound(string), read: reader((text) => text) };
  }
}

/** Decoded when something is done with them, which costs by their number: reading a field costs little. */
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
    type: listType(element.type, maxItems ?? estimatedElements(items)),
    read: (json) => (Array.isArray(json) ? listFromJson(json, element.read, shape) : mismatch(json)),
  };
}

/** Keys have no limit of their own; costs are estimated as if they were names. */
const typicalKey = 64;

function additionalType({ additionalProperties, maxProperties }: StructuralSchema): RuleType | undefined {
  if (!additionalProperties || additionalProperties === "any") return undefined;
  const value = ruleTypeOf(additionalProperties);
  if (!value) return undefined;
  return {
    type: mapType(
      { ...string, maxSize: typicalKey },
      value.type,
      maxProperties ?? estimatedElements(additionalProperties),
    ),
    read: (json) => (isPlainObject(json) ? mapFromJson(json, value.read) : mismatch(json)),
  };
}

const text: RuleType = { type: string, read: fromJson };
const metadataFields = new Map<string, JsonField & { readonly type: Type }>(
  ["name", "generateName"].map((member) => [member, { member, read: fromJson, type: string }]),
);
const metadataType = objectType("object", (name) => metadataFields.get(name)?.type);
const metadata: RuleType = {
  type: metadataType,
  read: (json) => (isPlainObject(json) ? objectFromJson(json, "object", metadataFields) : mismatch(json)),
};

function fieldsType(schema: StructuralSchema, isResource: boolean): RuleType {
  const fields = new Map<string, JsonField & { readonly type: Type }>();
  const add = (member: string, rule: RuleType | undefined) => {
    if (!rule) return;
    for (const name of fieldNamesOf(member)) fields.set(name, { member, ...rule });
  };
  for (const [member, property] of schema.properties) add(member, ruleTypeOf(property));
  if (isResource) {
    add("apiVersion", text);
    add("kind", text);
    add("metadata", metadata);
  }
  return {
    type: objectType("object", (name) => fields.get(name)?.type),
    read: (json) => (isPlainObject(json) ? objectFromJson(json, "object", fields) : mismatch(json)),
  };
}

const keywords = new Set(
  (
    "true false null in as break const continue else for function if import let loop package namespace return var " +
    "void while"
  ).split(" "),
);
const escapes: Readonly<Record<string, string>> = {
  __: "__underscores__",
  ".": "__dot__",
  "-": "__dash__",
  "/": "__slash__",
};

/** What rules call a member: escaped where it is no identifier, and as it is (between backticks). */
function fieldNamesOf(member: string): readonly string[] {
  if (!/^[a-zA-Z_.\-/][a-zA-Z0-9_.\-/]*$/.test(member)) return [];
  if (keywords.has(member)) return [`__${member}__`];
  const escaped = member.replace(/__|[.\-/]/g, (found) => escapes[found] ?? found);
  return escaped === member || member.includes("__") ? [escaped] : [escaped, member];
}
