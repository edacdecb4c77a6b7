import { isPlainObject } from "@keelson/base";
import type { StructuralSchema } from "./structural-schema.ts";

export interface Pruned {
  readonly value: unknown;
  /** The paths that were removed, for example `spec.colour`. */
  readonly removed: readonly string[];
}

/** Members that every object and every embedded one has, whatever its schema says. */
const ownMembers: ReadonlySet<string> = new Set(["apiVersion", "kind", "metadata"]);

/** Removes the fields that the schema does not know. Returns `value` itself where nothing is to remove. */
export function prune(schema: StructuralSchema, value: unknown): Pruned {
  const removed: string[] = [];
  return { value: pruned(schema, value, "", true, removed), removed };
}

function pruned(
  schema: StructuralSchema,
  value: unknown,
  path: string,
  isResource: boolean,
  removed: string[],
): unknown {
  if (Array.isArray(value)) {
    const { items } = schema;
    if (!items) return value;
    return value.map((each, at) => pruned(items, each, `${path}[${at}]`, items.embeddedResource, removed));
  }
  if (!isPlainObject(value)) return value;
  const members = Object.entries(value).flatMap(([name, member]): [string, unknown][] => {
    const memberPath = path ? `${path}.${name}` : name;
    if (isResource && ownMembers.has(name)) return [[name, member]];
    const known = schema.properties.get(name);
    if (known) return [[name, pruned(known, member, memberPath, known.embeddedResource, removed)]];
    const additional = schema.additionalProperties;
    if (additional === "any" || (!additional && schema.preserveUnknownFields)) return [[name, member]];
    if (additional)
      return [[name, pruned(additional, member, memberPath, additional.embeddedResource, removed)]];
    removed.push(memberPath);
    return [];
  });
  return Object.fromEntries(members);
}
