import { createHash } from "node:crypto";
import { atOnce, type Phases, writeJson } from "@keelson/apimachinery";
import { exactJson, parseExactJson } from "@keelson/base";
import { readSchema, type StructuralSchema } from "./structural-schema.ts";

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
  return atOnce(keptOrRead(exactJson(schema), () => schema));
}

/** The same in parts: a definition that is prepared so is served without delay. */
export function* prepareSchema(schema: unknown): Phases<StructuralSchema> {
  const text = (yield* writeJson(schema)).toString();
  yield;
  return yield* keptOrRead(text, () => schema);
}

/** A schema by its JSON. */
export function schemaOfText(text: string): StructuralSchema {
  return atOnce(keptOrRead(text, () => parseExactJson(text)));
}

function* keptOrRead(text: string, read: () => unknown): Phases<StructuralSchema> {
  const key = createHash("sha256").update(text).digest("base64");
  const known = kept.get(key)?.schema ?? (yield* readSchema(read()));
  // Another may have read it meanwhile.
  const found = kept.get(key);
  // What was used last is dropped last.
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

/** The JSON of a schema that was read here. */
export function textOfSchema(schema: StructuralSchema): string | undefined {
  return texts.get(schema);
}
