import { isPlainObject } from "@keelson/base";
import { arrayAt, recordAt, textsAt, valueAt } from "../json/access.ts";

/** A schema of a CustomResourceDefinition (OpenAPI v3 as apiextensions.k8s.io/v1 restricts it), read once. */
export interface StructuralSchema {
  readonly type: string | undefined;
  readonly properties: ReadonlyMap<string, StructuralSchema>;
  /** For maps: the schema of the values, or `any`. */
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
  /** The expression as written, and as JavaScript reads it. */
  readonly pattern: { readonly text: string; readonly regExp: RegExp } | undefined;
  readonly minimum: number | undefined;
  readonly maximum: number | undefined;
  readonly exclusiveMinimum: boolean;
  readonly exclusiveMaximum: boolean;
  readonly multipleOf: number | undefined;
  readonly minLength: number | undefined;
  readonly maxLength: number | undefined;
  readonly minItems: number | undefined;
  readonly maxItems: number | undefined;
  readonly minProperties: number | undefined;
  readonly maxProperties: number | undefined;
  readonly listType: string | undefined;
  readonly listMapKeys: readonly string[];
  readonly allOf: readonly StructuralSchema[];
  readonly anyOf: readonly StructuralSchema[];
  readonly oneOf: readonly StructuralSchema[];
  readonly not: StructuralSchema | undefined;
}

export function parseSchema(schema: unknown): StructuralSchema {
  const additional = valueAt(schema, "additionalProperties");
  const items = valueAt(schema, "items");
  const not = valueAt(schema, "not");
  const preserves = valueAt(schema, "x-kubernetes-preserve-unknown-fields") === true;
  return {
    type: text(schema, "type"),
    properties: new Map(
      Object.entries(recordAt(schema, "properties")).map(([name, each]) => [name, parseSchema(each)]),
    ),
    additionalProperties: isPlainObject(additional)
      ? parseSchema(additional)
      : additional === true
        ? "any"
        : undefined,
    items: isPlainObject(items) ? parseSchema(items) : undefined,
    required: textsAt(schema, "required"),
    nullable: valueAt(schema, "nullable") === true,
    preserveUnknownFields: preserves,
    embeddedResource: valueAt(schema, "x-kubernetes-embedded-resource") === true,
    intOrString: valueAt(schema, "x-kubernetes-int-or-string") === true,
    default: valueAt(schema, "default"),
    enum: Array.isArray(valueAt(schema, "enum")) ? arrayAt(schema, "enum") : undefined,
    format: text(schema, "format"),
    pattern: compile(text(schema, "pattern")),
    minimum: number(schema, "minimum"),
    maximum: number(schema, "maximum"),
    exclusiveMinimum: valueAt(schema, "exclusiveMinimum") === true,
    exclusiveMaximum: valueAt(schema, "exclusiveMaximum") === true,
    multipleOf: number(schema, "multipleOf"),
    minLength: number(schema, "minLength"),
    maxLength: number(schema, "maxLength"),
    minItems: number(schema, "minItems"),
    maxItems: number(schema, "maxItems"),
    minProperties: number(schema, "minProperties"),
    maxProperties: number(schema, "maxProperties"),
    listType: text(schema, "x-kubernetes-list-type"),
    listMapKeys: textsAt(schema, "x-kubernetes-list-map-keys"),
    allOf: arrayAt(schema, "allOf").map(parseSchema),
    anyOf: arrayAt(schema, "anyOf").map(parseSchema),
    oneOf: arrayAt(schema, "oneOf").map(parseSchema),
    not: isPlainObject(not) ? parseSchema(not) : undefined,
  };
}

function text(schema: unknown, member: string): string | undefined {
  const found = valueAt(schema, member);
  return typeof found === "string" ? found : undefined;
}

function number(schema: unknown, member: string): number | undefined {
  const found = valueAt(schema, member);
  return typeof found === "number" ? found : undefined;
}

/** Go's expressions and JavaScript's differ at the edges; one that JavaScript cannot read checks nothing. */
function compile(text: string | undefined): StructuralSchema["pattern"] {
  if (text === undefined) return undefined;
  for (const flags of ["u", ""]) {
    try {
      return { text, regExp: new RegExp(text, flags) };
    } catch {
      // The next flags may do.
    }
  }
  return undefined;
}
