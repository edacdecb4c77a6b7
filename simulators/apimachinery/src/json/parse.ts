import { parseExactJson } from "@keelson/base";
import { failures } from "../status/status-error.ts";
import { maxDepth } from "./copy-json.ts";

/**
 * Maximum number of properties in a document. The limit exists because each property costs processing time. A JSON patch with
 * 10,000 operations stays below the limit.
 */
export const maxMembers = 40_000;

/**
 * Parses JSON. `__proto__` is an ordinary property, as in `JSON.parse`.
 * @throws StatusError 400
 */
export function parseJson(text: string): unknown {
  checkExtent(text);
  try {
    return parseExactJson(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw failures.badRequest(`error parsing JSON: ${why.slice(0, 200)}`);
  }
}

function checkExtent(text: string): void {
  let depth = 0;
  let commas = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (inString) {
      if (code === 0x5c) at++;
      else if (code === 0x22) inString = false;
    } else if (code === 0x22) inString = true;
    else if (code === 0x7b || code === 0x5b) {
      if (++depth > maxDepth)
        throw failures.badRequest(`error parsing JSON: nested deeper than ${maxDepth} levels`);
    } else if (code === 0x7d || code === 0x5d) depth--;
    else if (code === 0x2c && ++commas > maxMembers)
      throw failures.badRequest(`error parsing JSON: more than ${maxMembers} fields`);
  }
}
