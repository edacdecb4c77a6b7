import type { ResourceType } from "@keelson/apimachinery";
import {
  allTypes,
  enumOf,
  type FieldSchema,
  type MergeRule,
  type TypeSchema,
  typeNameOf,
} from "@keelson/kinds";
import { isAtomicField, isAtomicType, listKeysOf } from "../managed-fields/builtin-field-schemas.ts";
import { definitionName, scalarDefinitions } from "./definition-name.ts";
import { describeField, describeType } from "./descriptions.ts";
import { type JsonSchema, type OpenApiVersion, refTo } from "./json-schema.ts";

/** Kinds that occur only in requests and responses. */
const requestKinds = [
  { group: "", version: "v1", kind: "Binding" },
  { group: "autoscaling", version: "v1", kind: "Scale" },
  { group: "policy", version: "v1", kind: "Eviction" },
  { group: "authentication.k8s.io", version: "v1", kind: "TokenRequest" },
] as const;

const made = new WeakMap<readonly ResourceType[], Map<OpenApiVersion, ReadonlyMap<string, JsonSchema>>>();

/**
 * Returns the schemas of all built-in types by definition name. Schemas of `types` contain their group, version and kind. The
 * result is cached by `types`, because the documents of all clusters use it.
 */
export function builtinSchemas(
  version: OpenApiVersion,
  types: readonly ResourceType[],
): ReadonlyMap<string, JsonSchema> {
  const versions = made.get(types) ?? new Map<OpenApiVersion, ReadonlyMap<string, JsonSchema>>();
  made.set(types, versions);
  const schemas = versions.get(version) ?? makeSchemas(version, types);
  versions.set(version, schemas);
  return schemas;
}

function makeSchemas(
  version: OpenApiVersion,
  types: readonly ResourceType[],
): ReadonlyMap<string, JsonSchema> {
  const kinds = new Map(
    [...types.filter((type) => type.origin === "builtin"), ...requestKinds].map(
      ({ group, version, kind }) => [typeNameOf({ group, version, kind }), { group, version, kind }],
    ),
  );
  const result = new Map<string, JsonSchema>(scalarSchemas(version));
  for (const [name, type] of allTypes()) {
    const kind = kinds.get(name);
    const description = describeType(name);
    const required = [...type.fields].filter(([, field]) => field.required).map(([field]) => field);
    result.set(definitionName(name), {
      ...(description ? { description } : {}),
      type: "object",
      ...(required.length > 0 ? { required } : {}),
      properties: Object.fromEntries(
        [...type.fields].map(([field, schema]) => [
          field,
          fieldSchema(version, schema, enumOf(name, field), {
            ...listExtensions(name, field, schema),
            ...described(describeField(name, field, kind !== undefined)),
          }),
        ]),
      ),
      ...(isAtomicType(name) ? { "x-kubernetes-map-type": "atomic" } : {}),
      ...(kind ? { "x-kubernetes-group-version-kind": [kind] } : {}),
    });
  }
  return result;
}

function scalarSchemas(version: OpenApiVersion): readonly (readonly [string, JsonSchema])[] {
  const text = { type: "string" };
  return [
    [scalarDefinitions.time, { ...text, format: "date-time" }],
    [scalarDefinitions.microTime, { ...text, format: "date-time" }],
    [scalarDefinitions.quantity, version === 2 ? text : { oneOf: [text, { type: "number" }] }],
    [
      scalarDefinitions.intOrString,
      { ...(version === 2 ? text : { oneOf: [{ type: "integer" }, text] }), format: "int-or-string" },
    ],
  ];
}

function fieldSchema(
  version: OpenApiVersion,
  field: FieldSchema,
  texts: readonly string[] | undefined,
  more: JsonSchema,
): JsonSchema {
  const schema = withEnum(valueSchema(version, field.schema), texts);
  const extras = { ...more, ...mergeExtensions(field.mergeRule) };
  if (Object.keys(extras).length === 0) return schema;
  // OpenAPI 3.0 ignores properties next to a $ref.
  return version === 3 && schema.$ref ? { allOf: [schema], ...extras } : { ...schema, ...extras };
}

/** Adds the enum to a schema. For a list or map, adds it to the schema of the items or values. */
function withEnum(schema: JsonSchema, texts: readonly string[] | undefined): JsonSchema {
  if (!texts) return schema;
  const { items, additionalProperties } = schema;
  if (items) return { ...schema, items: withEnum(items, texts) };
  if (typeof additionalProperties === "object")
    return { ...schema, additionalProperties: withEnum(additionalProperties, texts) };
  return { ...schema, enum: texts };
}

function described(description: string | undefined): JsonSchema {
  return description ? { description } : {};
}

/** Returns the ownership rules of a list or map in server-side apply (x-kubernetes-list-type and similar extensions). */
function listExtensions(type: string, field: string, { schema }: FieldSchema): JsonSchema {
  if (schema.type === "map") return isAtomicField(type, field) ? { "x-kubernetes-map-type": "atomic" } : {};
  if (schema.type !== "list") return {};
  const keys = listKeysOf(type, field);
  if (!keys) return { "x-kubernetes-list-type": "atomic" };
  return keys.length === 0
    ? { "x-kubernetes-list-type": "set" }
    : { "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": keys };
}

function mergeExtensions(rule: MergeRule | undefined): JsonSchema {
  if (!rule) return {};
  const strategies = [
    ...(rule.merge ? ["merge"] : []),
    ...(rule.retainKeys ? ["retainKeys"] : []),
    ...(rule.replace ? ["replace"] : []),
  ];
  return {
    ...(rule.mergeKey ? { "x-kubernetes-patch-merge-key": rule.mergeKey } : {}),
    "x-kubernetes-patch-strategy": strategies.join(","),
  };
}

function valueSchema(version: OpenApiVersion, schema: TypeSchema): JsonSchema {
  switch (schema.type) {
    case "object":
      return { $ref: refTo(version, definitionName(schema.name)) };
    case "list":
      return { type: "array", items: valueSchema(version, schema.items) };
    case "map":
      return { type: "object", additionalProperties: valueSchema(version, schema.values) };
    case "int32":
    case "int64":
      return { type: "integer", format: schema.type };
    case "number":
      return { type: "number", format: "double" };
    case "bytes":
      return { type: "string", format: "byte" };
    case "any":
      // The schema must not be empty, because `kubectl explain --recursive` treats an empty schema as missing.
      return { "x-kubernetes-preserve-unknown-fields": true };
    case "string":
    case "boolean":
      return { type: schema.type };
    default:
      return { $ref: refTo(version, scalarDefinitions[schema.type]) };
  }
}
