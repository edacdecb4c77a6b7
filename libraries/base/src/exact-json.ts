/** What Node's JSON has beyond what TypeScript knows of it. */
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
/** A number of so many digits may not fit into a double. A text with such digits only takes the slower path. */
const longNumber = /[:,[\s]-?\d{16}|^-?\d{16}/;

/**
 * JSON text to a value. Integers of 64 bits that a double cannot hold are bigints, as Go's decoders keep them; all
 * other numbers are numbers. @throws SyntaxError
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

/** The JSON text of a value whose integers may be bigints, on one line without an indentation; `undefined` becomes null. */
export function exactJson(value: unknown, indentation?: string): string {
  try {
    return JSON.stringify(value, undefined, indentation) ?? "null";
  } catch (error) {
    // Bigints are rare: only values with one are written twice.
    if (!(error instanceof TypeError)) throw error;
    const raw = (_name: string, member: unknown) =>
      typeof member === "bigint" ? sourceJson.rawJSON(String(member)) : member;
    return JSON.stringify(value, raw, indentation);
  }
}
