import { createHash } from "node:crypto";
import { atOnce, type Phases, writeJson } from "@keelson/apimachinery";
import { exactJson, parseExactJson } from "@keelson/base";
import { readSchema, type StructuralSchema } from "./structural-schema.ts";

/** Maximum JSON size of all cached schemas in bytes. The parsed schemas need several times as much memory. */
const maxKeptBytes = 64 * 1_024 * 1_024;
const kept = new Map<string, { readonly schema: StructuralSchema; readonly bytes: number }>();
const texts = new WeakMap<StructuralSchema, string>();
let keptBytes = 0;

/**
 * Parses a schema. Equal schemas of all clusters share the result. The parsed schema also caches its compiled rules and patterns,
 * which are the main cost of a definition.
 */
export function sharedSchema(schema: unknown): StructuralSchema {
  return atOnce(keptOrRead(exactJson(schema), () => schema));
}

/**
 * Parses and caches a schema, and yields between steps. A later call of `sharedSchema` then returns the schema without parsing
 * it.
 */
export function* prepareSchema(schema: unknown): Phases<StructuralSchema> {
  const text = (yield* writeJson(schema)).toString();
  yield;
  return yield* keptOrRead(text, () => schema);
}

/** Parses a schema from its JSON string. */
export function schemaOfText(text: string): StructuralSchema {
  return atOnce(keptOrRead(text, () => parseExactJson(text)));
}

function* keptOrRead(text: string, read: () => unknown): Phases<StructuralSchema> {
  const key = createHash("sha256").update(text).digest("base64");
  const known = kept.get(key)?.schema ?? (yield* readSchema(read()));
  // A concurrent call may have added the schema.
  const found = kept.get(key);
  // Moves the schema to the end, so that the least recently used schemas are evicted first.
  if (found) kept.delete(key);
  else keptBytes += text.length;
  const { schema, bytes } = found ?? { schema: known, bytes: text.length };
  if (!found) texts.set(schema, text);
  kept.set(key, { schema, bytes });
  for (const [oldest, each] of kept) {
    if (keptBytes <= maxKeptBytes || oldest === key) break;
    kept.delete(oldest);
    keptBytes -= each.bytes;
  }
  return schema;
}

/** Returns the JSON of a cached schema. */
export function textOfSchema(schema: StructuralSchema): string | undefined {
  return texts.get(schema);
}
