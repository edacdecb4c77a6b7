import { RE2JS } from "re2js";

/** Patterns with larger programs are refused: a match costs the pattern's size times the text's length at worst. */
const maxProgramSize = 20_000;
const maxKept = 2_000;
const kept = new Map<string, RE2JS | undefined>();

/** A regular expression in Go's syntax (RE2): matching takes linear time. `undefined` when it is none. */
export function findRegex(pattern: string): RE2JS | undefined {
  if (kept.has(pattern)) return kept.get(pattern);
  const compiled = compile(pattern);
  if (kept.size >= maxKept) kept.clear();
  kept.set(pattern, compiled);
  return compiled;
}

function compile(pattern: string): RE2JS | undefined {
  if (pattern.length > 10_000) return undefined;
  try {
    const regex = RE2JS.compile(pattern);
    return regex.programSize() > maxProgramSize ? undefined : regex;
  } catch {
    return undefined;
  }
}
