import { atOnce, Pace, type Phases, scalarStringAt } from "@keelson/apimachinery";
import { isPlainObject, listAt, objectAt, stringsAt, valueAt } from "@keelson/base";
import { findRegex } from "@keelson/cel";

/** Parsed schema of a CustomResourceDefinition. The format is OpenAPI v3 with the restrictions of apiextensions.k8s.io/v1. */
export interface StructuralSchema {
  readonly type: string | undefined;
  readonly properties: ReadonlyMap<string, StructuralSchema>;
  /** Schema of a map's values, or `any`. Undefined if the schema is not a map. */
  readonly additionalProperties: StructuralSchema | "any" | undefined;
  readonly items: StructuralSchema | undefined;
  readonly required: readonly string[];
  readonly nullable: boolean;
  readonly preserveUnknownFields: boolean;
  readonly embeddedResource: boolean;
  readonly intOrString: boolean;
  readonly default: unknown;
  readonly enum: readonly unknown[] | undefined;
  readonly format: string | undefined;
  /** Regular expression in Go syntax. */
  readonly pattern: Pattern | undefined;
  readonly minimum: number | undefined;
  readonly maximum: number | undefined;
  readonly exclusiveMinimum: boolean;
  readonly exclusiveMaximum: boolean;
  readonly multipleOf: number | undefined;
  readonly minLength: number | undefined;
  readonly maxLength: number | undefined;
  readonly minItems: number | undefined;
  readonly maxItems: number | undefined;
  readonly uniqueItems: boolean;
  readonly minProperties: number | undefined;
  readonly maxProperties: number | undefined;
  readonly listType: string | undefined;
  readonly listMapKeys: readonly string[];
  /** Value of `x-kubernetes-map-type`: `granular` or `atomic`. */
  readonly mapType: string | undefined;
  readonly validations: readonly ValidationRule[];
  readonly allOf: readonly StructuralSchema[];
  readonly anyOf: readonly StructuralSchema[];
  readonly oneOf: readonly StructuralSchema[];
  readonly not: StructuralSchema | undefined;
  /** Features that this schema and its nested schemas use. Validation skips unused features. */
  readonly has: SchemaFeatures;
}

interface Pattern {
  readonly text: string;
  /** True if the string matches. Compiles the pattern on first use. An invalid pattern matches all strings. */
  readonly matches: (value: string) => boolean;
  /** Returns the maximum cost of a match: instructions times characters. */
  readonly steps: (value: string) => number;
}

interface SchemaFeatures {
  readonly rules: boolean;
  readonly defaults: boolean;
  /** True if the schema contains lists of type set or map. */
  readonly keyedLists: boolean;
  readonly embeddedResources: boolean;
}

/** Rule of `x-kubernetes-validations`. Unset properties are empty strings. */
export interface ValidationRule {
  readonly rule: string;
  readonly message: string;
  readonly messageExpression: string;
  readonly reason: string;
  readonly fieldPath: string;
  readonly optionalOldSelf: boolean;
}

/** Parses a schema. If the schema is not structural, parses as many parts as possible. */
export function parseSchema(schema: unknown): StructuralSchema {
  return atOnce(readSchema(schema));
}

/** Parses a schema and yields between steps. */
export function* readSchema(schema: unknown, pace = new Pace()): Phases<StructuralSchema> {
  if (pace.isOver()) yield;
  const additional = valueAt(schema, "additionalProperties");
  const items = valueAt(schema, "items");
  const not = valueAt(schema, "not");
  const preserves = valueAt(schema, "x-kubernetes-preserve-unknown-fields") === true;
  const properties = new Map<string, StructuralSchema>();
  for (const [name, each] of Object.entries(objectAt(schema, "properties"))) {
    properties.set(name, yield* readSchema(each, pace));
  }
  const own: Omit<StructuralSchema, "has"> = {
    type: text(schema, "type"),
    properties,
    additionalProperties: isPlainObject(additional)
      ? yield* readSchema(additional, pace)
      : additional === true
        ? "any"
        : undefined,
    items: isPlainObject(items) ? yield* readSchema(items, pace) : undefined,
    required: stringsAt(schema, "required"),
    nullable: valueAt(schema, "nullable") === true,
    preserveUnknownFields: preserves,
    embeddedResource: valueAt(schema, "x-kubernetes-embedded-resource") === true,
    intOrString: valueAt(schema, "x-kubernetes-int-or-string") === true,
    default: valueAt(schema, "default"),
    enum: Array.isArray(valueAt(schema, "enum")) ? listAt(schema, "enum") : undefined,
    format: text(schema, "format"),
    pattern: patternOf(text(schema, "pattern")),
    minimum: number(schema, "minimum"),
    maximum: number(schema, "maximum"),
    exclusiveMinimum: valueAt(schema, "exclusiveMinimum") === true,
    exclusiveMaximum: valueAt(schema, "exclusiveMaximum") === true,
    multipleOf: number(schema, "multipleOf"),
    minLength: number(schema, "minLength"),
    maxLength: number(schema, "maxLength"),
    minItems: number(schema, "minItems"),
    maxItems: number(schema, "maxItems"),
    uniqueItems: valueAt(schema, "uniqueItems") === true,
    minProperties: number(schema, "minProperties"),
    maxProperties: number(schema, "maxProperties"),
    listType: text(schema, "x-kubernetes-list-type"),
    listMapKeys: stringsAt(schema, "x-kubernetes-list-map-keys"),
    mapType: text(schema, "x-kubernetes-map-type"),
    validations: listAt(schema, "x-kubernetes-validations").map(ruleOf),
    allOf: yield* readAll(listAt(schema, "allOf"), pace),
    anyOf: yield* readAll(listAt(schema, "anyOf"), pace),
    oneOf: yield* readAll(listAt(schema, "oneOf"), pace),
    not: isPlainObject(not) ? yield* readSchema(not, pace) : undefined,
  };
  return { ...own, has: featuresOf(own) };
}

function* readAll(schemas: readonly unknown[], pace: Pace): Phases<readonly StructuralSchema[]> {
  const all: StructuralSchema[] = [];
  for (const each of schemas) all.push(yield* readSchema(each, pace));
  return all;
}

function featuresOf(own: Omit<StructuralSchema, "has">): SchemaFeatures {
  const { additionalProperties, items } = own;
  const below = [
    ...own.properties.values(),
    ...(items ? [items] : []),
    ...(additionalProperties && additionalProperties !== "any" ? [additionalProperties] : []),
  ];
  return {
    rules: own.validations.length > 0 || below.some(({ has }) => has.rules),
    defaults: own.default !== undefined || below.some(({ has }) => has.defaults),
    keyedLists: own.listType === "set" || own.listType === "map" || below.some(({ has }) => has.keyedLists),
    embeddedResources: own.embeddedResource || below.some(({ has }) => has.embeddedResources),
  };
}

function ruleOf(rule: unknown): ValidationRule {
  return {
    rule: scalarStringAt(rule, "rule"),
    message: scalarStringAt(rule, "message"),
    messageExpression: scalarStringAt(rule, "messageExpression"),
    reason: scalarStringAt(rule, "reason"),
    fieldPath: scalarStringAt(rule, "fieldPath"),
    optionalOldSelf: valueAt(rule, "optionalOldSelf") === true,
  };
}

function text(schema: unknown, member: string): string | undefined {
  const found = valueAt(schema, member);
  return typeof found === "string" ? found : undefined;
}

function number(schema: unknown, member: string): number | undefined {
  const found = valueAt(schema, member);
  return typeof found === "number" || typeof found === "bigint" ? Number(found) : undefined;
}

function patternOf(text: string | undefined): Pattern | undefined {
  if (text === undefined) return undefined;
  return {
    text,
    matches: (value) => findRegex(text)?.test(value) ?? true,
    steps: (value) => (findRegex(text)?.programSize ?? 0) * value.length,
  };
}
