/** Maximum number of lines of a followed log that the page stores. */
const maxLines = 10_000;
/** Maximum total length, in characters, of the stored lines. */
const maxLength = 5 * 2 ** 20;

/** Appends lines to the known lines. Returns the newest lines within the limits. */
export function appendLines(known: readonly string[], further: readonly string[]): readonly string[] {
  const lines = [...known, ...further].slice(-maxLines);
  let length = 0;
  for (let at = lines.length - 1; at >= 0; at--) {
    length += lines[at]?.length ?? 0;
    if (length > maxLength) return lines.slice(at + 1);
  }
  return lines;
}

/** Returns the lines that contain a string. Upper and lower case are equal. */
export function matchingLines(lines: readonly string[], text: string): readonly string[] {
  const wanted = text.toLowerCase();
  return wanted === "" ? lines : lines.filter((line) => line.toLowerCase().includes(wanted));
}
