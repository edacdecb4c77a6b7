/** Shorter parts are found by the engine: what it compares too often is little. */
const shortPart = 64;

/**
 * Where `part` is in `text` at or after `from`, -1 where it is not. The engine's own search takes the product of both
 * lengths at worst; this one takes their sum.
 */
export function findText(text: string, part: string, from = 0): number {
  if (part.length <= shortPart) return text.indexOf(part, from);
  for (const at of occurrences(text, part, from)) return at;
  return -1;
}

/** Where `part` is for the last time, beginning at or before `limit`. */
export function findLastText(text: string, part: string, limit = text.length): number {
  if (part.length <= shortPart) return text.lastIndexOf(part, limit);
  let last = -1;
  for (const at of occurrences(text, part, 0)) {
    if (at > limit) break;
    last = at;
  }
  return last;
}

/** @see Knuth, Morris, Pratt: Fast Pattern Matching in Strings */
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

/** For each prefix the length of the longest proper prefix that it also ends with. */
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
