// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out.
const control = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/**
 * A text of another system as it may be stored, logged and shown: at most `maxLength` UTF-16 units, cut with an ellipsis,
 * and no control characters but tabs and line feeds, nor marks that turn the direction of writing.
 */
export function boundedText(text: string, maxLength: number): string {
  return cutText(text, maxLength).replace(control, " ").toWellFormed();
}

/** A text of at most `maxLength` UTF-16 units: a longer one ends with an ellipsis. */
export function cutText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  return `${text.slice(0, Math.max(0, maxLength - 1)).replace(/[\ud800-\udbff]$/, "")}…`;
}
