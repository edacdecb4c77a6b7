import { readFileSync } from "node:fs";
import { isPlainObject, messageOf } from "@keelson/base";
import { cliErrors } from "../output/cli-errors.ts";
import { isSystemError } from "../output/failure-text.ts";

/**
 * The JSON object in a file of the state directory, with these members.
 * @throws StateUnreadable, whose message ends with `wayOut`
 */
export function readStateFile<T>(path: string, members: readonly (keyof T & string)[], wayOut: string): T {
  const value = parse(path, wayOut);
  const missing = members.filter((name) => value[name] === undefined);
  if (missing.length > 0) throw unreadable(path, `it lacks ${missing.join(", ")}`, wayOut);
  return value as T;
}

function parse(path: string, wayOut: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(readFileSync(path, "utf8"));
    if (isPlainObject(value)) return value;
  } catch (cause) {
    // A parser's message may quote a secret.
    throw unreadable(path, isSystemError(cause) ? messageOf(cause) : "it is no JSON", wayOut, cause);
  }
  throw unreadable(path, "it is no JSON object", wayOut);
}

function unreadable(path: string, why: string, wayOut: string, cause?: unknown) {
  return cliErrors.StateUnreadable(`${path} cannot be used (${why}): ${wayOut}`, { cause });
}
