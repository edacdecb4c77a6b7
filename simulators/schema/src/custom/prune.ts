import { isPlainObject } from "@keelson/base";
import { withMembers } from "./defaults.ts";
import type { StructuralSchema } from "./structural-schema.ts";

export interface Pruned {
  readonly value: unknown;
  /** Removed paths, for example `spec.colour`. */
  readonly removed: readonly string[];
}

/** Fields that all objects and embedded objects may have, regardless of the schema. */
const ownMembers: ReadonlySet<string> = new Set(["apiVersion", "kind", "metadata"]);

/** Removes fields that are not in the schema. Returns `value` itself if all fields are in the schema. */
export function prune(schema: StructuralSchema, value: unknown, isResource = true): Pruned {
  const removed: string[] = [];
  return { value: pruned(schema, value, "", isResource, removed), removed };
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
    const kept = value.map((each, at) =>
      isScalar(each) ? each : pruned(items, each, `${path}[${at}]`, items.embeddedResource, removed),
    );
    return kept.every((each, at) => each === value[at]) ? value : kept;
  }
  if (!isPlainObject(value)) return value;
  const { properties, additionalProperties: additional } = schema;
  const keepsAll = additional === "any" || (!additional && schema.preserveUnknownFields);
  const changed = new Map<string, unknown>();
  for (const name of Object.keys(value)) {
    if (isResource && ownMembers.has(name)) continue;
    const known = properties.get(name) ?? (keepsAll ? undefined : additional);
    const member = value[name];
    if (known) {
      if (isScalar(member)) continue;
      const kept = pruned(known, member, path ? `${path}.${name}` : name, known.embeddedResource, removed);
      if (kept !== member) changed.set(name, kept);
    } else if (!keepsAll) {
      removed.push(path ? `${path}.${name}` : name);
      changed.set(name, undefined);
    }
  }
  return changed.size === 0 ? value : withMembers(value, changed);
}

function isScalar(value: unknown): boolean {
  return typeof value !== "object" || value === null;
}
