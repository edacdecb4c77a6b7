import { mask } from "./masked-text.ts";

/** Range of a sentence in a passage. Excludes surrounding white space. */
export interface Sentence {
  readonly start: number;
  readonly end: number;
  readonly words: number;
}

/** Matches the end of a sentence, an empty line, or the start of a list item, JSDoc tag or table row. */
const boundary = /[.!?]["'”’)\]*_]*(?=\s)|\n[ \t]*(?=\n)|\n(?=[ \t]*(?:[-*+•][ \t]|\d+[.)][ \t]|@[a-z]|\|))/g;
const abbreviation = /(?:^|[\s("'[])(?:e\.g|i\.e|cf|vs|approx|incl|resp|no|fig)\.$/i;

/** Splits masked text into sentences. */
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

/** Matches a number at the start of a list item. */
const itemNumber = /(?:^|\n)[ \t]*\d{1,3}\.$/;

/**
 * True if the punctuation mark at the index `at` ends a sentence. False after an abbreviation, an item number, or an ellipsis
 * within a sentence.
 */
function endsSentence(text: string, at: number, end: number): boolean {
  const before = text.slice(Math.max(0, at - 12), at + 1);
  if (abbreviation.test(before) || itemNumber.test(before)) return false;
  const next = text.slice(end, end + 40).trimStart();
  const isEllipsis = text.slice(at - 2, at) === "..";
  return !(isEllipsis || text.slice(at - 3, at) === "etc") || !/^\p{Ll}/u.test(next);
}

/** Returns the number of words in masked text. A code span counts as one word. */
export function countWords(text: string): number {
  return text.split(/\s+/).filter((token) => wordCharacter.test(token)).length;
}

const wordCharacter = new RegExp(`[\\p{L}\\p{N}${mask}]`, "u");
