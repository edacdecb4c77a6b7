const key = '"managedFields":[';

/**
 * JSON with each array `managedFields` emptied, without parsing it: that is a third of what API servers send, in more objects than all
 * the rest has. Only of JSON without spaces, as they send it; any other text is left as it is.
 */
export function withoutManagedFields(json: string): string {
  const pieces: string[] = [];
  let kept = 0;
  for (let at = json.indexOf(key); at >= 0; at = json.indexOf(key, at + 1)) {
    // The end of a longer name, which has a quotation mark in it.
    if (json[at - 1] === "\\") continue;
    const start = at + key.length;
    const end = endOfArray(json, start);
    if (end < 0) return json;
    pieces.push(json.slice(kept, start));
    kept = end;
    at = end;
  }
  if (kept === 0) return json;
  pieces.push(json.slice(kept));
  return pieces.join("");
}

const quote = 0x22;
const opening: readonly number[] = [0x5b, 0x7b];
const closing: readonly number[] = [0x5d, 0x7d];

/** Where the bracket is that closes an array whose content begins at `start`; -1 when there is none. */
function endOfArray(json: string, start: number): number {
  let depth = 1;
  for (let at = start; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === quote) {
      at = endOfString(json, at);
      if (at < 0) return -1;
    } else if (code === opening[0] || code === opening[1]) depth++;
    else if ((code === closing[0] || code === closing[1]) && --depth === 0) return at;
  }
  return -1;
}

/** Where the quotation mark is that ends the string which the one at `start` begins; -1 when there is none. */
function endOfString(json: string, start: number): number {
  for (let at = json.indexOf('"', start + 1); at >= 0; at = json.indexOf('"', at + 1)) {
    let backslashes = 0;
    while (json[at - 1 - backslashes] === "\\") backslashes++;
    if (backslashes % 2 === 0) return at;
  }
  return -1;
}
