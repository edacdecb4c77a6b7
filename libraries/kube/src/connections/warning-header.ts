/** Matches `299 agent "text"` with optional further warnings. */
const warning = /299 [^\s,"]+ "((?:[^"\\]|\\.)*)"(?: "[^"]*")?/g;

/**
 * Returns warnings of API servers from headers according to RFC 7234, section 5.5. Other warning codes are
 * dropped.
 */
export function warningsIn(header: string | readonly string[] | undefined): readonly string[] {
  const lines = header === undefined ? [] : typeof header === "string" ? [header] : header;
  return lines.flatMap((line) =>
    [...line.matchAll(warning)].map(([, text = ""]) => text.replace(/\\(.)/g, "$1")),
  );
}
