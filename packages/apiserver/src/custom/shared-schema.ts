import { createHash } from "node:crypto";
import { parseSchema, type StructuralSchema } from "./structural-schema.ts";

const maxKept = 1_000;
const kept = new Map<string, StructuralSchema>();

/**
 * A schema, read once for all clusters that have the same: with it go its compiled rules and patterns, which are
 * most of what a definition costs.
 */
export function sharedSchema(schema: unknown): StructuralSchema {
  const key = createHash("sha256")
    .update(JSON.stringify(schema) ?? "")
    .digest("base64");
  const found = kept.get(key);
  // What was used last is dropped last.
  if (found) kept.delete(key);
  const parsed = found ?? parseSchema(schema);
  kept.set(key, parsed);
  for (const oldest of kept.keys()) {
    if (kept.size <= maxKept) break;
    kept.delete(oldest);
  }
  return parsed;
}
