/** Classes of bytes outside strings, by their role in JSON. */
const scalar = 0;
const separator = 1;
const opening = 2;
const closing = 3;
const quotation = 4;

const backslash = 0x5c;
const quote = 0x22;

const roles = new Uint8Array(256);
for (const character of " \t\n\r,:") roles[character.charCodeAt(0)] = separator;
for (const character of "[{") roles[character.charCodeAt(0)] = opening;
for (const character of "]}") roles[character.charCodeAt(0)] = closing;
roles[quote] = quotation;

/**
 * Counts the JSON tokens of arriving bytes without parsing them. A token is a string, a field name, a number, a literal, an
 * object or an array. The scanner allocates no memory per token.
 */
export class JsonScanner {
  tokens = 0;
  /** Number of objects and arrays that contain the current position. */
  #depth = 0;
  maxDepth = 0;
  #inString = false;
  #isEscaped = false;
  #inScalar = false;

  scan(chunk: Uint8Array): void {
    const { length } = chunk;
    let { tokens, maxDepth } = this;
    let depth = this.#depth;
    let inString = this.#inString;
    let isEscaped = this.#isEscaped;
    let inScalar = this.#inScalar;
    for (let at = 0; at < length; at++) {
      const byte = chunk[at] as number;
      if (inString) {
        if (isEscaped) isEscaped = false;
        else if (byte === backslash) isEscaped = true;
        else if (byte === quote) inString = false;
        continue;
      }
      const role = roles[byte];
      if (role === scalar) {
        if (!inScalar) tokens++;
        inScalar = true;
        continue;
      }
      inScalar = false;
      if (role === separator) continue;
      if (role === closing) {
        if (depth > 0) depth--;
        continue;
      }
      tokens++;
      if (role === quotation) inString = true;
      else if (++depth > maxDepth) maxDepth = depth;
    }
    this.tokens = tokens;
    this.maxDepth = maxDepth;
    this.#depth = depth;
    this.#inString = inString;
    this.#isEscaped = isEscaped;
    this.#inScalar = inScalar;
  }
}
