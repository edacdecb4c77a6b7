import { requestBudget } from "@keelson/apimachinery";
import { parseExactJson, type WorkBudget } from "@keelson/base";
import {
  allTypes,
  factLines,
  type GroupVersionKind,
  type ObjectSchema,
  type TypeSchema,
  typeNameOf,
} from "@keelson/kinds";
import { sharedFieldNumbers } from "./field-numbers.ts";
import { readFields, type WireField } from "./wire.ts";

/**
 * Decodes a protocol buffer message of a built-in kind to its JSON form. Returns undefined for kinds without field numbers in
 * this package. Drops fields that the type does not have.
 * @throws RangeError for an invalid message
 */
export function decodeMessage(
  kind: GroupVersionKind,
  message: Uint8Array,
  budget = requestBudget(),
): Readonly<Record<string, unknown>> | undefined {
  const name = metaKinds.has(kind.kind) ? `meta.v1.${kind.kind}` : typeNameOf(kind);
  const type = name === undefined ? undefined : allTypes().get(name);
  if (!type || !fieldNumbers().has(type.name)) return undefined;
  return objectOf(type, message, budget);
}

/** Kinds that are the same in all groups and versions. */
export const metaKinds: ReadonlySet<string> = new Set(["DeleteOptions", "Status"]);

/** Meaning of a field number: a property of the JSON object, or a message with properties that JSON inlines into this object. */
export type Target = MemberTarget | { readonly inlined: string };

export interface MemberTarget {
  readonly member: string;
  /** True if zero is a meaningful value, so that the JSON form contains it. */
  readonly encodesZero: boolean;
  /** Alternative to a JSON schema that the property's message may contain. */
  readonly orSchema: OrSchema | undefined;
}

/** Alternative to a JSON schema in a message. `Empty` is a message without content that only marks presence. */
export type OrSchema = "Bool" | "Array" | "StringArray" | "Empty";

const orSchemas: readonly OrSchema[] = ["Bool", "Array", "StringArray", "Empty"];

let parsed: ReadonlyMap<string, ReadonlyMap<number, Target>> | undefined;

export function fieldNumbers(): ReadonlyMap<string, ReadonlyMap<number, Target>> {
  parsed ??= new Map(factLines("protobuf", sharedFieldNumbers()).map(parseLine));
  return parsed;
}

function parseLine([name, ...fields]: readonly [string, ...string[]]): [string, ReadonlyMap<number, Target>] {
  const prefix = name.slice(0, name.lastIndexOf(".") + 1);
  const targets = fields.map((field): [number, Target] => {
    const [, text = "", number, star, orSchema] = /^(.+)=(\d+)(\*?)(?::(\w+))?$/.exec(field) ?? [];
    if (text.startsWith("+")) {
      const inlined = text.slice(1);
      return [Number(number), { inlined: inlined.includes(".") ? inlined : prefix + inlined }];
    }
    return [
      Number(number),
      {
        member: text,
        encodesZero: star === "*",
        orSchema: orSchemas.find((each) => each === orSchema),
      },
    ];
  });
  return [name, new Map(targets)];
}

function objectOf(
  type: ObjectSchema,
  message: Uint8Array,
  budget: WorkBudget,
): Readonly<Record<string, unknown>> {
  const members = [...membersOf(type, type.name, message, budget)];
  return Object.fromEntries(
    members.map(([name, value]) => [name, value instanceof Map ? Object.fromEntries(value) : value]),
  );
}

/**
 * Returns the properties of `type` that the message `messageName` contains. `messageName` may name an inlined message, which
 * contains only some of these properties. Maps are returned as `Map`.
 */
function membersOf(
  type: ObjectSchema,
  messageName: string,
  message: Uint8Array,
  budget: WorkBudget,
): ReadonlyMap<string, unknown> {
  const members = new Map<string, unknown>();
  const targets = fieldNumbers().get(messageName);
  for (const field of readFields(message, budget)) {
    const target = targets?.get(field.number);
    if (!target) continue;
    if ("inlined" in target) {
      for (const [name, value] of membersOf(type, target.inlined, bytesOf(field), budget))
        members.set(name, value);
      continue;
    }
    const schema = type.fields.get(target.member)?.schema;
    if (schema) addMember(members, target, schema, field, budget);
  }
  return members;
}

function addMember(
  members: Map<string, unknown>,
  { member: name, encodesZero, orSchema }: MemberTarget,
  schema: TypeSchema,
  field: WireField,
  budget: WorkBudget,
): void {
  const before = members.get(name);
  if (schema.type === "list") {
    const value = readValue(schema.items, field, undefined, budget);
    if (Array.isArray(before)) before.push(value);
    else members.set(name, [value]);
    return;
  }
  if (schema.type === "map") {
    const entries = before instanceof Map ? before : new Map<string, unknown>();
    entries.set(...entryOf(schema.values, bytesOf(field), orSchema, budget));
    members.set(name, entries);
    return;
  }
  const value = readValue(schema, field, orSchema, budget);
  // A zero value of type `any` is kept, because the client has set it explicitly. Examples are a default of false and a schema
  // that forbids additional properties.
  if (value === undefined || (isZero(value) && !encodesZero && schema.type !== "any")) return;
  members.set(name, value);
}

/** True for zero values. Go writes all message fields that are not pointers, but JSON omits empty fields. */
function isZero(value: unknown): boolean {
  return value === "" || value === 0 || value === false;
}

function entryOf(
  values: TypeSchema,
  entry: Uint8Array,
  orSchema: OrSchema | undefined,
  budget: WorkBudget,
): readonly [string, unknown] {
  let key = "";
  let value: unknown;
  for (const field of readFields(entry, budget)) {
    if (field.number === 1) key = textOf(field);
    if (field.number === 2) value = readValue(values, field, orSchema, budget);
  }
  return [key, value ?? (values.type === "object" ? {} : "")];
}

/** Reads a value of a type. Returns undefined for an empty time, which means that the time is unset. */
function readValue(
  schema: TypeSchema,
  field: WireField,
  orSchema: OrSchema | undefined,
  budget: WorkBudget,
): unknown {
  switch (schema.type) {
    case "object":
      return objectOf(schema, bytesOf(field), budget);
    case "list":
      // Protocol buffer maps cannot have lists as values, so the list is wrapped in a message.
      return [...readFields(bytesOf(field), budget)].map((item) =>
        readValue(schema.items, item, undefined, budget),
      );
    case "map":
      return Object.fromEntries(
        [...readFields(bytesOf(field), budget)].map((item) =>
          entryOf(schema.values, bytesOf(item), undefined, budget),
        ),
      );
    case "boolean":
      return integerOf(field) !== 0;
    case "int32":
      return integerOf(field);
    case "int64":
      return exactIntegerOf(field);
    case "number":
      return doubleOf(field);
    case "bytes":
      return Buffer.from(bytesOf(field)).toString("base64");
    case "time":
    case "microTime":
      return timeOf(bytesOf(field), schema.type === "time" ? 0 : 6, budget);
    case "quantity":
      return firstText(bytesOf(field), budget);
    case "intOrString":
      return intOrStringOf(bytesOf(field), budget);
    case "any":
      return orSchema ? schemaOr(orSchema, bytesOf(field), budget) : anyOf(bytesOf(field), budget);
    case "string":
      return textOf(field);
  }
}

function bytesOf({ value }: WireField): Uint8Array {
  if (value instanceof Uint8Array) return value;
  throw new RangeError("expected a message or string, found a number");
}

function textOf(field: WireField): string {
  return Buffer.from(bytesOf(field)).toString();
}

function integerOf({ value }: WireField): number {
  if (typeof value === "number") return value;
  if (typeof value === "bigint") return Number(BigInt.asIntN(64, value));
  throw new RangeError("expected a number, found bytes");
}

/** Returns the integer as a number, or as a bigint if a number cannot represent it exactly. */
function exactIntegerOf(field: WireField): number | bigint {
  const number = integerOf(field);
  if (Number.isSafeInteger(number) || typeof field.value !== "bigint") return number;
  return BigInt.asIntN(64, field.value);
}

function doubleOf(field: WireField): number {
  const bytes = Buffer.alloc(8);
  if (typeof field.value !== "bigint") throw new RangeError("expected a number, found bytes");
  bytes.writeBigUInt64LE(field.value);
  return bytes.readDoubleLE();
}

function timeOf(message: Uint8Array, digits: number, budget: WorkBudget): string | undefined {
  const numbers = new Map([...readFields(message, budget)].map((field) => [field.number, integerOf(field)]));
  const seconds = numbers.get(1);
  if (seconds === undefined) return undefined;
  const whole = new Date(seconds * 1_000).toISOString().replace(/\.\d+Z$/, "");
  const fraction = String(numbers.get(2) ?? 0)
    .padStart(9, "0")
    .slice(0, digits);
  return `${whole}${fraction ? `.${fraction}` : ""}Z`;
}

function firstText(message: Uint8Array, budget: WorkBudget): string {
  const first = [...readFields(message, budget)].find(({ number }) => number === 1);
  return first ? textOf(first) : "";
}

/** Reads an integer or a string. In the message, `type` is 0 for a number and 1 for a string. */
function intOrStringOf(message: Uint8Array, budget: WorkBudget): string | number {
  const fields = new Map([...readFields(message, budget)].map((field) => [field.number, field]));
  const [type, number, text] = [fields.get(1), fields.get(2), fields.get(3)];
  if (type && integerOf(type) === 1) return text ? textOf(text) : "";
  return number ? integerOf(number) : 0;
}

function anyOf(message: Uint8Array, budget: WorkBudget): unknown {
  const text = firstText(message, budget);
  try {
    return text ? parseExactJson(text) : undefined;
  } catch (error) {
    throw new RangeError("invalid embedded JSON", { cause: error });
  }
}

/**
 * Reads a schema or its alternative. In JSONSchemaPropsOrBool, field 1 is the flag and field 2 is the schema. In the other
 * messages, field 1 is the schema and field 2 is the list.
 */
function schemaOr(alternative: OrSchema, message: Uint8Array, budget: WorkBudget): unknown {
  const fields = [...readFields(message, budget)];
  const numbered = (number: number) => fields.filter((field) => field.number === number);
  const schemas = (number: number) => numbered(number).map((field) => jsonSchemaOf(bytesOf(field), budget));
  switch (alternative) {
    case "Bool":
      return schemas(2)[0] ?? numbered(1).some((field) => integerOf(field) !== 0);
    case "Array":
      return schemas(1)[0] ?? schemas(2);
    case "Empty":
      return {};
    case "StringArray":
      return schemas(1)[0] ?? numbered(2).map(textOf);
  }
}

function jsonSchemaOf(message: Uint8Array, budget: WorkBudget): Readonly<Record<string, unknown>> {
  const type = allTypes().get("apiextensions.v1.JSONSchemaProps");
  return type ? objectOf(type, message, budget) : {};
}
