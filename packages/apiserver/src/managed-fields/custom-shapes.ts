import type { StructuralSchema } from "../custom/structural-schema.ts";
import { objectShape } from "./builtin-shapes.ts";
import { freeShape, leafShape, type Shape } from "./shape.ts";

const nothing: ReadonlySet<string> = new Set();

/** The shape of a custom resource: its schema's, with the metadata that all objects share. */
export function customShape(schema: StructuralSchema): Shape {
  return objectShape(shapeOf(schema));
}

function shapeOf(schema: StructuralSchema): Shape {
  if (schema.intOrString) return leafShape;
  if (schema.type === "array" || (schema.type === undefined && schema.items)) return shapeOfList(schema);
  if (schema.type !== "object" && schema.type !== undefined) return leafShape;
  if (schema.mapType === "atomic") return leafShape;
  const { additionalProperties: values } = schema;
  if (values !== undefined && schema.properties.size === 0) {
    return { kind: "map", values: values === "any" ? freeShape : shapeOf(values) };
  }
  const preserves = schema.preserveUnknownFields || values !== undefined || schema.embeddedResource;
  if (schema.properties.size === 0 && (preserves || schema.type === undefined)) return freeShape;
  return {
    kind: "struct",
    fields: new Map([...schema.properties].map(([name, each]) => [name, shapeOf(each)])),
    others: preserves ? freeShape : undefined,
    inborn: nothing,
  };
}

function shapeOfList({ listType, listMapKeys, items }: StructuralSchema): Shape {
  if (listType === "set") return { kind: "set" };
  if (listType !== "map" || !items) return leafShape;
  const keys = [...listMapKeys].sort();
  const defaults = keys.flatMap((key): [string, unknown][] => {
    const value = items.properties.get(key)?.default;
    return value === undefined ? [] : [[key, value]];
  });
  return { kind: "list", keys, defaults: Object.fromEntries(defaults), items: shapeOf(items) };
}
