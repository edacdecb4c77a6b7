/** Contiguous prose in a source file. */
export interface Passage {
  readonly kind: "comment" | "string" | "document";
  /** Line number of the first character. The first line is 1. */
  readonly line: number;
  /** Contains every line break of its source, as `\n` or as `softBreak`. */
  readonly text: string;
}

/** Represents a source line break inside a string or JSX text. It separates words but not sentences. */
export const softBreak = "\u2028";

/** Represents a line break that a string contains as an escape sequence. */
export const escapedBreak = "\u2029";

/** Replaces characters that are reserved for `softBreak` and `escapedBreak`. Offsets do not change. */
export function withoutReservedBreaks(source: string): string {
  return source.replaceAll(/[\u2028\u2029]/g, " ");
}

export function countBreaks(text: string): number {
  return text.match(/[\n\u2028]/g)?.length ?? 0;
}
