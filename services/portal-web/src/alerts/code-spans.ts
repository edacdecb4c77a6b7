export interface Span {
  readonly text: string;
  readonly isCode: boolean;
}

/** Splits a string into spans of plain text and of code. Code is enclosed in backticks. Links are replaced by their labels. */
export function codeSpans(text: string): readonly Span[] {
  return text
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .split("`")
    .map((part, at) => ({ text: part, isCode: at % 2 === 1 }))
    .filter((span) => span.text !== "");
}
