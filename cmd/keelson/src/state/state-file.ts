import { readFileSync } from "node:fs";
import { isPlainObject, messageOf } from "@keelson/base";
import { cliErrors } from "../output/cli-errors.ts";
import { isSystemError } from "../output/failure-text.ts";

/**
 * Reads a JSON object from a file in the state directory. The object must have all fields in `members`.
 * @throws StateUnreadable with a message that ends with `remedy`
 */
export function readStateFile<T>(path: string, members: readonly (keyof T & string)[], remedy: string): T {
  const value = parse(path, remedy);
  const missing = members.filter((name) => value[name] === undefined);
  if (missing.length > 0) throw unreadable(path, `it lacks ${missing.join(", ")}`, remedy);
  return value as T;
}

function parse(path: string, remedy: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(readFileSync(path, "utf8"));
    if (isPlainObject(value)) return value;
  } catch (cause) {
    // The message of the JSON parser is not used, because the message may quote a secret.
    throw unreadable(path, isSystemError(cause) ? messageOf(cause) : "it is no JSON", remedy, cause);
  }
  throw unreadable(path, "it is no JSON object", remedy);
}

function unreadable(path: string, why: string, remedy: string, cause?: unknown) {
  return cliErrors.StateUnreadable(`${path} cannot be used (${why}): ${remedy}`, { cause });
}
