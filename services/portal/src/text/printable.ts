import { isPlainObject, unprintable } from "@keelson/base";

const deleteCode = 0x7f;

/** Makes control characters visible. ASCII control characters become their symbols, for example ESC becomes `␛`. Others become their code points, for example `\u202e`. */
export function printable(text: string): string {
  return text.replace(unprintable, (character) => {
    const code = character.charCodeAt(0);
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    if (code === deleteCode) return "\u2421";
    return `\\u${code.toString(16).padStart(4, "0")}`;
  });
}

/** Makes control characters visible in all strings of a JSON value, including field names. */
export function printableValue(value: unknown): unknown {
  if (typeof value === "string") return printable(value);
  if (Array.isArray(value)) return value.map(printableValue);
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [printable(name), printableValue(field)]),
  );
}
