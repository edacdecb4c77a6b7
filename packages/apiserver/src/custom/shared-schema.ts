import { createHash } from "node:crypto";
import { exactJson, parseExactJson } from "@keelson/base";
import { parseSchema, type StructuralSchema } from "./structural-schema.ts";

/** What the texts of the schemas that are kept may take together; what is made of them takes a few times as much. */
const maxKeptBytes = 64 * 1_024 * 1_024;
const kept = new Map<string, { readonly schema: StructuralSchema; readonly bytes: number }>();
const texts = new WeakMap<StructuralSchema, string>();
let keptBytes = 0;

/**
 * A schema, read once for all clusters that have the same: with it go its compiled rules and patterns, which are
 * most of what a definition costs.
 */
export function sharedSchema(schema: unknown): StructuralSchema {
  return keptOrRead(exactJson(schema), () => schema);
}

/** A schema by its JSON. */
export function schemaOfText(text: string): StructuralSchema {
  return keptOrRead(text, () => parseExactJson(text));
}

function keptOrRead(text: string, read: () => unknown): StructuralSchema {
  const key = createHash("sha256").update(text).digest("base64");
  const found = kept.get(key);
  // What was used last is dropped last.
  if (found) kept.delete(key);
  else keptBytes += text.length;
  const { schema, bytes } = found ?? { schema: parseSchema(read()), bytes: text.length };
  if (!found) texts.set(schema, text);
  kept.set(key, { schema, bytes });
  for (const [oldest, each] of kept) {
    if (keptBytes <= maxKeptBytes || oldest === key) break;
    kept.delete(oldest);
    keptBytes -= each.bytes;
  }
  return schema;
}

/** The JSON of a schema that was read here. */
export function textOfSchema(schema: StructuralSchema): string | undefined {
  return texts.get(schema);
}
