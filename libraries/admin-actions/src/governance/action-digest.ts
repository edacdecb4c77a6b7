import { createHash } from "node:crypto";
import { isPlainObject, type JsonObject } from "@keelson/base";

/** Returns the hexadecimal SHA-256 hash of an action with its parameters. The order of the parameter names does not matter. */
export function actionDigest(action: string, parameters: JsonObject): string {
  return createHash("sha256")
    .update(JSON.stringify([action, ordered(parameters)]))
    .digest("hex");
}

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (!isPlainObject(value)) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  // The entries are stored as an array, because an array keeps their order. An object would put integer names first and drop
  // `__proto__`.
  return { entries: entries.map(([name, each]) => [name, ordered(each)]) };
}
