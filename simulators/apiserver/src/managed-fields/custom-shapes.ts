import type { StructuralSchema } from "../custom/structural-schema.ts";
import { objectShape } from "./builtin-shapes.ts";
import {
  atomicShape,
  booleanShape,
  freeObjectShape,
  freeShape,
  leafShape,
  numberShape,
  type Shape,
  scalarShape,
  textShape,
} from "./shape.ts";

const nothing: ReadonlySet<string> = new Set();

/** The shape of a custom resource: its schema's, with the metadata that all objects share. */
export function customShape(schema: StructuralSchema): Shape {
  return objectShape(shapeOf(schema));
}

function shapeOf(schema: StructuralSchema): Shape {
  if (schema.intOrString) return leafShape;
  if (schema.type === "array" || (schema.type === undefined && schema.items)) return shapeOfList(schema);
  switch (schema.type) {
    case "string":
      return schema.format === "date-time" ? scalarShape : textShape;
    case "boolean":
      return booleanShape;
    case "integer":
    case "number":
      return numberShape;
    default:
      return schema.mapType === "atomic" ? atomicShape(shapeOfObject(schema)) : shapeOfObject(schema);
  }
}

function shapeOfObject(schema: StructuralSchema): Shape {
  const { additionalProperties: values } = schema;
  if (values !== undefined && schema.properties.size === 0) {
    return { kind: "map", values: values === "any" ? freeShape : shapeOf(values) };
  }
  const preserves = schema.preserveUnknownFields || values !== undefined || schema.embeddedResource;
  if (schema.properties.size === 0 && (preserves || schema.type === undefined)) {
    return schema.type === "object" ? freeObjectShape : freeShape;
  }
  return {
    kind: "struct",
    fields: new Map([...schema.properties].map(([name, each]) => [name, shapeOf(each)])),
    others: preserves ? freeShape : undefined,
    inborn: nothing,
  };
}

function shapeOfList({ listType, listMapKeys, items }: StructuralSchema): Shape {
  const inner = items ? shapeOf(items) : freeShape;
  if (listType === "set") return { kind: "set", items: inner };
  if (listType !== "map" || !items) return { kind: "leaf", content: { items: inner } };
  const keys = [...listMapKeys].sort();
  const defaults = keys.flatMap((key): [string, unknown][] => {
    const value = items.properties.get(key)?.default;
    return value === undefined ? [] : [[key, value]];
  });
  return { kind: "list", keys, defaults: Object.fromEntries(defaults), items: inner };
}
