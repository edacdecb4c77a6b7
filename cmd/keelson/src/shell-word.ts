/** A text as one word of a POSIX shell, quoted where it has to be. */
export function shellWord(text: string): string {
  return /^[-\w./:@%+=,]+$/.test(text) ? text : quoted(text);
}

/** Between single quotes, whatever stands in it. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
