import { createHash } from "node:crypto";
import { atOnce, type Phases, writeJson } from "@keelson/apimachinery";
import { exactJson, parseExactJson } from "@keelson/base";
import { readSchema, type StructuralSchema } from "./structural-schema.ts";

/** Limit of the cached schemas' JSON size. Their parsed forms need several times as much memory. */
const maxKeptBytes = 64 * 1_024 * 1_024;
const kept = new Map<string, { readonly schema: StructuralSchema; readonly bytes: number }>();
const texts = new WeakMap<StructuralSchema, string>();
let keptBytes = 0;

/**
 * Parses a schema, shared by all clusters with an equal one. The schema also caches its compiled rules and
 * patterns, the main cost of a definition.
 */
export function sharedSchema(schema: unknown): StructuralSchema {
  return atOnce(keptOrRead(exactJson(schema), () => schema));
}

/** Parses a schema in phases. A definition that is prepared this way is then served without delay. */
export function* prepareSchema(schema: unknown): Phases<StructuralSchema> {
  const text = (yield* writeJson(schema)).toString();
  yield;
  return yield* keptOrRead(text, () => schema);
}

/** Parses a schema from its JSON. */
export function schemaOfText(text: string): StructuralSchema {
  return atOnce(keptOrRead(text, () => parseExactJson(text)));
}

function* keptOrRead(text: string, read: () => unknown): Phases<StructuralSchema> {
  const key = createHash("sha256").update(text).digest("base64");
  const known = kept.get(key)?.schema ?? (yield* readSchema(read()));
  // A concurrent call may have added it.
  const found = kept.get(key);
  // Least recently used entries are removed first.
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

/** JSON of a cached schema. */
export function textOfSchema(schema: StructuralSchema): string | undefined {
  return texts.get(schema);
}
