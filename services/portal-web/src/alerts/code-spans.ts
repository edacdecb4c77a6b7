export interface Span {
  readonly text: string;
  readonly isCode: boolean;
}

/** Splits a text at its backticks, and takes the label of a link for the link. */
export function codeSpans(text: string): readonly Span[] {
  return text
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .split("`")
    .map((part, at) => ({ text: part, isCode: at % 2 === 1 }))
    .filter((span) => span.text !== "");
}
