/** JSON functions of Node.js that TypeScript does not declare. */
interface SourceJson {
  rawJSON(text: string): object;
  parse(
    text: string,
    reviver: (name: string, value: unknown, context: { readonly source?: string }) => unknown,
  ): unknown;
}

const sourceJson: SourceJson = Object(JSON);
const least = -(2n ** 63n);
const most = 2n ** 63n - 1n;
/** Matches numbers that may not fit into a double. A false positive only makes parsing slower. */
const longNumber = /[:,[\s]-?\d{16}|^-?\d{16}/;

/**
 * Parses JSON. Integers that a double cannot represent exactly become bigints, so 64-bit integers keep their value as in Go.
 * @throws SyntaxError
 */
export function parseExactJson(text: string): unknown {
  return longNumber.test(text) ? sourceJson.parse(text, exactly) : JSON.parse(text);
}

function exactly(_name: string, value: unknown, { source }: { readonly source?: string }): unknown {
  if (typeof value !== "number" || Number.isSafeInteger(value)) return value;
  if (source === undefined || !/^-?\d+$/.test(source)) return value;
  const exact = BigInt(source);
  return exact < least || exact > most ? value : exact;
}

/** Serializes a value that may contain bigints. Without an indentation, the result has one line. `undefined` becomes null. */
export function exactJson(value: unknown, indentation?: string): string {
  try {
    return JSON.stringify(value, undefined, indentation) ?? "null";
  } catch (error) {
    // `JSON.stringify` fails with a TypeError for bigints. Bigints are rare, so they are handled in a second attempt.
    if (!(error instanceof TypeError)) throw error;
    const raw = (_name: string, member: unknown) =>
      typeof member === "bigint" ? sourceJson.rawJSON(String(member)) : member;
    return JSON.stringify(value, raw, indentation);
  }
}
