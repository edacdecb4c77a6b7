import { readFileSync } from "node:fs";
import { isPlainObject, messageOf } from "@keelson/base";
import { configErrors } from "./config-errors.ts";

/** Matches a line that contains only a comment. No JSON string contains a line break, so a comment never begins in a string. */
const commentLine = /^[ \t]*\/\/.*$/gm;

/**
 * Reads a configuration file as a JSON object. Lines that begin with `//` are comments.
 * @throws InvalidConfiguration naming the file
 */
export function readObject(path: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(readFileSync(path, "utf8").replace(commentLine, ""));
    if (isPlainObject(value)) return value;
  } catch (cause) {
    throw configErrors.InvalidConfiguration(`configuration ${path} cannot be read: ${reasonOf(cause)}`);
  }
  throw configErrors.InvalidConfiguration(`configuration ${path} is not a JSON object`);
}

/**
 * Returns the position of a syntax error, or the message of any other error. The parser's message is not used, because it can
 * contain secrets of the file.
 */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof SyntaxError)) return messageOf(cause);
  const [place = ""] = / \(line \d+ column \d+\)$/.exec(cause.message) ?? [];
  return `it is not JSON${place}`;
}
