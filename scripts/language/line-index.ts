/** Converts offsets in a file to line numbers. */
export class LineIndex {
  readonly #starts: number[] = [0];

  constructor(source: string) {
    for (let at = source.indexOf("\n"); at >= 0; at = source.indexOf("\n", at + 1)) this.#starts.push(at + 1);
  }

  /** Returns the line number of an offset. The first line is 1. */
  lineAt(offset: number): number {
    let low = 0;
    let high = this.#starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.#starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  }
}

/** True if only white space precedes an offset in its line. */
export function isLineStart(source: string, offset: number): boolean {
  let at = offset - 1;
  while (at >= 0 && /[^\S\n]/.test(source.charAt(at))) at--;
  return at < 0 || source.charAt(at) === "\n";
}
