/** Names of the rules in `docs/language.md`. */
export const ruleNames = [
  "agent",
  "default",
  "first-word",
  "identifier",
  "positive",
  "sentence-length",
  "word",
] as const;
export type RuleName = (typeof ruleNames)[number];

/** Violation of a rule. */
export interface Finding {
  readonly path: string;
  readonly line: number;
  readonly endLine: number;
  readonly rule: RuleName;
  /** Offending words. */
  readonly text: string;
  /** Correct word or form. */
  readonly remedy: string;
}

const longestQuote = 90;

/** Formats a finding as `path:line: rule: "offending text": remedy`. */
export function formatFinding({ path, line, rule, text, remedy }: Finding): string {
  const quoted = text.replaceAll(/\s+/g, " ").trim();
  const shown = quoted.length > longestQuote ? `${quoted.slice(0, longestQuote).trimEnd()} …` : quoted;
  return `${path}:${line}: ${rule}: "${shown}": ${remedy}`;
}

/** True if the finding covers at least one line for which `isMatch` returns true. */
export function isOnLine({ line, endLine }: Finding, isMatch: (line: number) => boolean): boolean {
  for (let each = line; each <= endLine; each++) if (isMatch(each)) return true;
  return false;
}
