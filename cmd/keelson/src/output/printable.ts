/** Matches line separators, characters that change the text direction, and all control characters except tab. */
const unprintable = /(?!\t)[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;

/** Escapes control characters of a line, because a terminal would interpret them. */
export function printable(line: string): string {
  return line.replace(unprintable, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
