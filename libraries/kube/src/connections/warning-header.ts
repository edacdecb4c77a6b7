/** Matches `299 agent "text"` with optional further warnings. */
const warning = /299 [^\s,"]+ "((?:[^"\\]|\\.)*)"(?: "[^"]*")?/g;

/**
 * Returns the warnings in the Warning headers of an API server (RFC 7234, section 5.5). Warning codes other than 299 are dropped.
 */
export function warningsIn(header: string | readonly string[] | undefined): readonly string[] {
  const lines = header === undefined ? [] : typeof header === "string" ? [header] : header;
  return lines.flatMap((line) =>
    [...line.matchAll(warning)].map(([, text = ""]) => text.replace(/\\(.)/g, "$1")),
  );
}
