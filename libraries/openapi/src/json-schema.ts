import type { OpenApiDocument, Schema } from "./document.ts";
import { flatten } from "./flat-schema.ts";

/** JSON Schema (draft 7). Its references point to definitions in this schema. */
export type JsonSchema = Readonly<Record<string, unknown>>;
const documentId = "document";

/** Direction of the body: a request from a client or a response from the service. */
export type Direction = "request" | "response";

/** Converts all definitions of a document to JSON Schemas for bodies in one direction. */
export function jsonSchemas(document: OpenApiDocument, direction: Direction): JsonSchema {
  const definitions = Object.entries(document.definitions).map(([name, schema]) => [
    name,
    definitionOf(document, schema, direction),
  ]);
  return { $id: documentId, definitions: Object.fromEntries(definitions) };
}

/** Converts an inline schema. The result still contains its references. */
export function schemaOf(document: OpenApiDocument, schema: Schema, direction: Direction): JsonSchema {
  const used =
    schema.$ref === undefined
      ? definitionOf(document, schema, direction)
      : { $ref: documentId + schema.$ref };
  return schema["x-nullable"] === true ? { anyOf: [used, { type: "null" }] } : used;
}

/**
 * Converts a definition. `allOf` is merged, because JSON Schema cannot combine it with closed objects (`additionalProperties:
 * false`).
 */
function definitionOf(document: OpenApiDocument, schema: Schema, direction: Direction): JsonSchema {
  const flat = flatten(document, schema);
  const { type, format, pattern, minLength, maxLength, items, additionalProperties } = flat;
  const text = Object.entries({ format, pattern, minLength, maxLength, enum: flat.enum });
  const simple = { ...(type === undefined ? {} : { type }), ...Object.fromEntries(text.filter(isGiven)) };
  if (type === "array") return { ...simple, items: schemaOf(document, items ?? {}, direction) };
  if (type !== "object" && Object.keys(flat.properties).length === 0) return simple;
  const members = Object.entries(flat.properties).filter(
    ([, member]) => direction === "response" || flatten(document, member).readOnly !== true,
  );
  const names = members.map(([name]) => name);
  return {
    type: "object",
    properties: Object.fromEntries(
      members.map(([name, member]) => [name, schemaOf(document, member, direction)]),
    ),
    required: flat.required.filter((name) => names.includes(name)),
    additionalProperties: valuesOf(document, additionalProperties, direction),
  };
}

function valuesOf(
  document: OpenApiDocument,
  values: Schema | boolean | undefined,
  direction: Direction,
): JsonSchema | boolean {
  return typeof values === "object" ? schemaOf(document, values, direction) : (values ?? false);
}

function isGiven([, value]: [string, unknown]): boolean {
  return value !== undefined;
}
