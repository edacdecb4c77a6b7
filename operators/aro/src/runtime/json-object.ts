import { isPlainObject, parseExactJson } from "@keelson/base";

/** Deeper than any that a component reads; far below what exhausts the stack when it is written again. */
const maxDepth = 200;

/** A JSON object that a customer may have written, with all its members and exact integers; `undefined` for any other text. */
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
