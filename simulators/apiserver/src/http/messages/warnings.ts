import type { ServerResponse } from "node:http";

const maxWarnings = 32;
/**
 * Maximum total length of all warnings in characters. If the total is longer, each warning is truncated to `maxWhenCut`
 * characters.
 */
const maxTotal = 4_096;
const maxWhenCut = 256;

interface Recorded {
  readonly texts: Set<string>;
  written: number;
  cuts: boolean;
}

const recorded = new WeakMap<ServerResponse, Recorded>();

/**
 * Adds a warning to a response before its headers are sent (RFC 7234 section 5.5). Duplicate warnings are dropped. If all
 * warnings together are too long, each warning is truncated to `maxWhenCut` characters.
 */
export function addWarning(response: ServerResponse, text: string): void {
  const known = recorded.get(response) ?? { texts: new Set(), written: 0, cuts: false };
  recorded.set(response, known);
  const { texts } = known;
  if (text === "" || texts.has(text) || texts.size >= maxWarnings) return;
  texts.add(text);
  if (!known.cuts && known.written + text.length > maxTotal) {
    known.cuts = true;
    known.written = 0;
    response.removeHeader("warning");
    for (const each of texts) append(response, known, each);
  } else if (!known.cuts || known.written < maxTotal) append(response, known, text);
}

function append(response: ServerResponse, known: Recorded, text: string): void {
  const shown = known.cuts ? [...text].slice(0, maxWhenCut).join("") : text;
  known.written += shown.length;
  response.appendHeader("warning", `299 - "${quotable(shown)}"`);
}

/**
 * Encodes a string as UTF-8 for a quoted string in a header. Replaces control characters by question marks, and escapes quotes
 * and backslashes.
 */
function quotable(text: string): string {
  const bytes = Buffer.from(text, "utf8").toString("latin1");
  return bytes.replace(/[^\x20-\x7e\x80-\xff]/g, "?").replace(/["\\]/g, "\\$&");
}
