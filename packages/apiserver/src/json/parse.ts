import { failures } from "../status/status-error.ts";

/** Deeper documents are refused: no real object comes near, and recursion over them must stay safe. */
const maxDepth = 512;

/**
 * JSON text to a value. A member called `__proto__` is an ordinary member, as `JSON.parse` has it.
 * @throws StatusError 400
 */
export function parseJson(text: string): unknown {
  checkDepth(text);
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw failures.badRequest(`error parsing JSON: ${why.slice(0, 200)}`);
  }
}

function checkDepth(text: string): void {
  let depth = 0;
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
  }
}
