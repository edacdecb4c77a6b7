/** A text as one word of a POSIX shell, quoted where it has to be. */
export function shellWord(text: string): string {
  return /^[-\w./:@%+=,]+$/.test(text) ? text : quoted(text);
}

/** Any text, in single quotes. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
