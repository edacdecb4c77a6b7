import type { ServerResponse } from "node:http";

const maxWarnings = 32;
/** Beyond so many characters in all, each warning is cut short. */
const maxTotal = 4_096;
const maxWhenCut = 256;

interface Recorded {
  readonly texts: Set<string>;
  written: number;
  cuts: boolean;
}

const recorded = new WeakMap<ServerResponse, Recorded>();

/**
 * Adds a warning to an answer whose headers are yet to go (RFC 7234 section 5.5, as Kubernetes uses it): each once, and of
 * many only the beginnings.
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

/** Headers hold bytes: those of UTF-8, and no control characters. */
function quotable(text: string): string {
  const bytes = Buffer.from(text, "utf8").toString("latin1");
  return bytes.replace(/[^\x20-\x7e\x80-\xff]/g, "?").replace(/["\\]/g, "\\$&");
}
