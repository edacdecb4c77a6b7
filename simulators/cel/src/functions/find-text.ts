/**
 * Maximum length in characters for which JavaScript's own search is used. Up to this length, even the worst case of that search
 * is fast.
 */
const shortPart = 64;

/**
 * Returns the index of `part` in `text` at or after `from`, or -1. The time is linear in the sum of both lengths. The time of
 * JavaScript's own search may grow with the product of both lengths.
 */
export function findText(text: string, part: string, from = 0): number {
  if (part.length <= shortPart) return text.indexOf(part, from);
  for (const at of occurrences(text, part, from)) return at;
  return -1;
}

/** Returns the last index of `part` at or before `limit`, or -1. */
export function findLastText(text: string, part: string, limit = text.length): number {
  if (part.length <= shortPart) return text.lastIndexOf(part, limit);
  let last = -1;
  for (const at of occurrences(text, part, 0)) {
    if (at > limit) break;
    last = at;
  }
  return last;
}

/**
 * Yields the indexes of `part` in `text`.
 * @see Knuth, Morris, Pratt: Fast Pattern Matching in Strings
 */
function* occurrences(text: string, part: string, from: number): Generator<number, void, undefined> {
  const borders = bordersOf(part);
  let matched = 0;
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    while (matched > 0 && part.charCodeAt(matched) !== code) matched = borders[matched - 1] ?? 0;
    if (part.charCodeAt(matched) === code) matched++;
    if (matched < part.length) continue;
    yield at + 1 - part.length;
    matched = borders[matched - 1] ?? 0;
  }
}

/** Returns an array for the prefixes of `part`. Each entry is the length of the longest proper prefix that is also a suffix. */
function bordersOf(part: string): Int32Array {
  const borders = new Int32Array(part.length);
  let length = 0;
  for (let at = 1; at < part.length; at++) {
    const code = part.charCodeAt(at);
    while (length > 0 && part.charCodeAt(length) !== code) length = borders[length - 1] ?? 0;
    if (part.charCodeAt(length) === code) length++;
    borders[at] = length;
  }
  return borders;
}
