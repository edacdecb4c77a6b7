import { mask } from "./masked-text.ts";

/** Range of a sentence in a passage, without surrounding white space. */
export interface Sentence {
  readonly start: number;
  readonly end: number;
  readonly words: number;
}

/** End of a sentence, empty line, list item, JSDoc tag or row of a table. */
const boundary = /[.!?]["'”’)\]*_]*(?=\s)|\n[ \t]*(?=\n)|\n(?=[ \t]*(?:[-*+•][ \t]|\d+[.)][ \t]|@[a-z]|\|))/g;
const abbreviation = /(?:^|[\s("'[])(?:e\.g|i\.e|cf|vs|approx|incl|resp|no|fig)\.$/i;

/** Sentences of masked text. */
export function splitSentences(text: string): Sentence[] {
  const sentences: Sentence[] = [];
  let start = 0;
  const add = (end: number) => {
    const sentence = text.slice(start, end);
    const words = countWords(sentence);
    const leading = sentence.length - sentence.trimStart().length;
    if (words > 0) sentences.push({ start: start + leading, end: start + sentence.trimEnd().length, words });
    start = end;
  };
  for (const { 0: found, index } of text.matchAll(boundary)) {
    const end = index + found.length;
    if (found.startsWith("\n") || endsSentence(text, index, end)) add(end);
  }
  add(text.length);
  return sentences;
}

/** Number at the beginning of a list item. */
const itemNumber = /(?:^|\n)[ \t]*\d{1,3}\.$/;

/** False after an abbreviation or item number, and after an ellipsis within a sentence. */
function endsSentence(text: string, at: number, end: number): boolean {
  const before = text.slice(Math.max(0, at - 12), at + 1);
  if (abbreviation.test(before) || itemNumber.test(before)) return false;
  const next = text.slice(end, end + 40).trimStart();
  const isEllipsis = text.slice(at - 2, at) === "..";
  return !(isEllipsis || text.slice(at - 3, at) === "etc") || !/^\p{Ll}/u.test(next);
}

/** Words of masked text. A code span is one word. */
export function countWords(text: string): number {
  return text.split(/\s+/).filter((token) => wordCharacter.test(token)).length;
}

const wordCharacter = new RegExp(`[\\p{L}\\p{N}${mask}]`, "u");
