/** Continuous prose of a source file. */
export interface Passage {
  readonly kind: "comment" | "string" | "document";
  /** Line number of the first character. The first line of a file is 1. */
  readonly line: number;
  /** Contains every line break of its source, as `\n` or as `softBreak`. */
  readonly text: string;
}

/** Line break of the source inside a string or JSX text. It separates words, but not sentences. */
export const softBreak = "\u2028";

/** Line break that an escape sequence of a string stands for. The source has none there. */
export const escapedBreak = "\u2029";

/** Replaces characters that would be mistaken for `softBreak` or `escapedBreak`. Offsets stay the same. */
export function withoutReservedBreaks(source: string): string {
  return source.replaceAll(/[\u2028\u2029]/g, " ");
}

export function countBreaks(text: string): number {
  return text.match(/[\n\u2028]/g)?.length ?? 0;
}
