import { isPlainObject, parseExactJson } from "@keelson/base";

/**
 * Maximum nesting depth. No component needs a greater depth. The serialization of a much deeper object would cause a stack
 * overflow.
 */
const maxDepth = 200;

/**
 * Parses a JSON object that a customer may have written. All fields are kept, and integers are exact. `undefined` for any other
 * string.
 */
export function readJsonObject(text: string): Readonly<Record<string, unknown>> | undefined {
  if (depthOf(text) > maxDepth) return undefined;
  try {
    const value = parseExactJson(text);
    return isPlainObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/gs)) {
    if (token === "[" || token === "{") deepest = Math.max(deepest, ++depth);
    else if (token === "]" || token === "}") depth--;
  }
  return deepest;
}
