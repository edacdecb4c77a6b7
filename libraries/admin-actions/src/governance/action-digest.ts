import { createHash } from "node:crypto";
import { isPlainObject, type JsonObject } from "@keelson/base";

/** SHA-256 of an action with its parameters, whatever the order of their names. Hexadecimal. */
export function actionDigest(action: string, parameters: JsonObject): string {
  return createHash("sha256")
    .update(JSON.stringify([action, ordered(parameters)]))
    .digest("hex");
}

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (!isPlainObject(value)) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  // Entries: an object would put names that are integers first, and drop `__proto__`.
  return { entries: entries.map(([name, each]) => [name, ordered(each)]) };
}
