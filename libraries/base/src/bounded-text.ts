// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out.
const control = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/**
 * Sanitizes a string of an external system for storage, logs and display. Truncates it to `maxLength` UTF-16 units, including an
 * ellipsis. Replaces bidirectional formatting characters, and control characters other than tabs and line feeds.
 */
export function boundedText(text: string, maxLength: number): string {
  return cutText(text, maxLength).replace(control, " ").toWellFormed();
}

/** Truncates a string to at most `maxLength` UTF-16 units. A truncated string ends with an ellipsis. */
export function cutText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  return `${text.slice(0, Math.max(0, maxLength - 1)).replace(/[\ud800-\udbff]$/, "")}…`;
}
