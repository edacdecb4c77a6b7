/** Formats a string as one word for a POSIX shell. Quotes it only if required. */
export function shellWord(text: string): string {
  return /^[-\w./:@%+=,]+$/.test(text) ? text : quoted(text);
}

/** Puts a string in single quotes. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
