import type { StructuralSchema } from "../custom/structural-schema.ts";
import { objectFieldSchema } from "./builtin-field-schemas.ts";
import {
  atomicSchema,
  booleanSchema,
  type FieldSchema,
  freeObjectSchema,
  freeSchema,
  leafSchema,
  numberSchema,
  scalarSchema,
  textSchema,
} from "./field-schema.ts";

const nothing: ReadonlySet<string> = new Set();

/** Returns the field schema of a custom resource. It includes the metadata fields that all objects have. */
export function customFieldSchema(schema: StructuralSchema): FieldSchema {
  return objectFieldSchema(fieldSchemaOf(schema));
}

function fieldSchemaOf(schema: StructuralSchema): FieldSchema {
  if (schema.intOrString) return leafSchema;
  if (schema.type === "array" || (schema.type === undefined && schema.items))
    return fieldSchemaOfList(schema);
  switch (schema.type) {
    case "string":
      return schema.format === "date-time" ? scalarSchema : textSchema;
    case "boolean":
      return booleanSchema;
    case "integer":
    case "number":
      return numberSchema;
    default:
      return schema.mapType === "atomic"
        ? atomicSchema(fieldSchemaOfObject(schema))
        : fieldSchemaOfObject(schema);
  }
}

function fieldSchemaOfObject(schema: StructuralSchema): FieldSchema {
  const { additionalProperties: values } = schema;
  if (values !== undefined && schema.properties.size === 0) {
    return { kind: "map", values: values === "any" ? freeSchema : fieldSchemaOf(values) };
  }
  const preserves = schema.preserveUnknownFields || values !== undefined || schema.embeddedResource;
  if (schema.properties.size === 0 && (preserves || schema.type === undefined)) {
    return schema.type === "object" ? freeObjectSchema : freeSchema;
  }
  return {
    kind: "struct",
    fields: new Map([...schema.properties].map(([name, each]) => [name, fieldSchemaOf(each)])),
    others: preserves ? freeSchema : undefined,
    implicitFields: nothing,
  };
}

function fieldSchemaOfList({ listType, listMapKeys, items }: StructuralSchema): FieldSchema {
  const inner = items ? fieldSchemaOf(items) : freeSchema;
  if (listType === "set") return { kind: "set", items: inner };
  if (listType !== "map" || !items) return { kind: "leaf", content: { items: inner } };
  const keys = [...listMapKeys].sort();
  const defaults = keys.flatMap((key): [string, unknown][] => {
    const value = items.properties.get(key)?.default;
    return value === undefined ? [] : [[key, value]];
  });
  return { kind: "list", keys, defaults: Object.fromEntries(defaults), items: inner };
}
