import { isPlainObject } from "@keelson/base";
import type { StructuralSchema } from "./structural-schema.ts";

/** Fills in the schema's defaults. A `null` where the schema allows none counts as absent if there is a default. */
export function withDefaults(schema: StructuralSchema, value: unknown): unknown {
  if (Array.isArray(value)) {
    const { items } = schema;
    return items ? value.map((each) => withDefaults(items, each)) : value;
  }
  if (!isPlainObject(value)) return value;
  const present = Object.entries(value).flatMap(([name, member]): [string, unknown][] => {
    const known = schema.properties.get(name) ?? schema.additionalProperties;
    if (!known || known === "any") return [[name, member]];
    if (member === null && !known.nullable && known.default !== undefined) return [];
    return [[name, withDefaults(known, member)]];
  });
  const names = new Set(present.map(([name]) => name));
  const missing = [...schema.properties]
    .filter(([name, property]) => property.default !== undefined && !names.has(name))
    .map(([name, property]): [string, unknown] => [
      name,
      withDefaults(property, structuredClone(property.default)),
    ]);
  return Object.fromEntries([...present, ...missing]);
}
