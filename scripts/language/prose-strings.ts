import { countBreaks, type Passage } from "./passage.ts";

/** Placeholder for an expression in a template literal. It counts as one word. */
export const templateValue = "{…}";

/** Returns the prose lines of a string. A line break in `text` is a newline character, `softBreak` or `escapedBreak`. */
export function stringPassages(line: number, text: string): Passage[] {
  const passages: Passage[] = [];
  let at = line;
  for (const [segment] of text.matchAll(/[^\n\u2029]*[\n\u2029]?/g)) {
    const content = segment.replace(/[\n\u2029]$/, "");
    if (isProse(content)) passages.push({ kind: "string", line: at, text: content });
    at += countBreaks(segment);
  }
  return passages;
}

const proseWord = /^["'(“‘]*(?:\p{L}[\p{L}’'-]+|[aAI])["')”’]*[.,:;!?]*["')”’]*$/u;
const statement =
  /^\s*(?:select\b|insert into\b|update \S+ set\b|delete from\b|with \S+ as\b|create (?:table|index|unique|function|or)\b|alter table\b|drop \w+\b|(?:from|where|order by|group by|on conflict|returning|union|values|left join|join|set)\s.*(?:[=$]|\bas\b))/i;

/** True if a string has at least three words, consists mostly of words and is not an SQL statement. */
function isProse(text: string): boolean {
  const tokens = text.split(/\s+/).filter(Boolean);
  if (tokens.length < 3) return false;
  const words = tokens.filter((token) => proseWord.test(token)).length;
  return words >= 3 && words * 2 > tokens.length && !statement.test(text);
}
