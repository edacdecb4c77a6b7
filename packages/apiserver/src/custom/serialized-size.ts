import type { StructuralSchema } from "./structural-schema.ts";

/** No request is longer, and so no list in it. */
const maxRequestBytes = 3 * 1_024 * 1_024;

const known = new WeakMap<StructuralSchema, number>();

/** How many elements of a schema fit into one request: what costs are estimated by where nothing says how many. */
export function estimatedElements(element: StructuralSchema): number {
  return Math.floor((maxRequestBytes - 2) / (minSize(element) + 1));
}

/** The fewest bytes that a value of a schema takes. */
function minSize(schema: StructuralSchema): number {
  const found = known.get(schema);
  if (found !== undefined) return found;
  const size = computeMinSize(schema);
  known.set(schema, size);
  return size;
}

function computeMinSize(schema: StructuralSchema): number {
  if (schema.nullable) return schema.type === "object" || schema.type === "array" ? 2 : 1;
  switch (schema.type) {
    case "object": {
      const members = schema.required.map((name) => {
        const property = schema.properties.get(name);
        return property && property.default === undefined ? name.length + 4 + minSize(property) : 0;
      });
      return members.reduce((sum, each) => sum + each, 2);
    }
    case "array":
      return 2;
    case "boolean":
      return 4;
    case "string":
      return { datetime: 21, date: 12, duration: 3 }[schema.format?.replaceAll("-", "") ?? ""] ?? 2;
    default:
      return 1;
  }
}
