import { escapedBreak } from "./passage.ts";

/**
 * Replaces the escape sequences of a JavaScript or Python string with the characters that they represent. The escape sequence of
 * a line break becomes `escapedBreak`. A line break after a backslash at the end of a line remains a line break.
 */
export function decodeEscapes(raw: string): string {
  if (!raw.includes("\\")) return raw;
  return raw.replaceAll(/\\(?:u\{([\da-f]{1,6})\}|u([\da-f]{4})|x([\da-f]{2})|(\r?\n)|(.))/gis, decodeEscape);
}

function decodeEscape(
  _: string,
  codePoint: string | undefined,
  unit: string | undefined,
  byte: string | undefined,
  lineBreak: string | undefined,
  character: string | undefined,
): string {
  if (lineBreak !== undefined) return lineBreak;
  if (character !== undefined)
    return /[nr]/.test(character) ? escapedBreak : /[tvfb0]/.test(character) ? " " : character;
  const code = Number.parseInt(codePoint ?? unit ?? byte ?? "", 16);
  if (code === 0x0a || code === 0x0d) return escapedBreak;
  return code < 0x20 || code > 0x10_ff_ff || Number.isNaN(code) ? " " : String.fromCodePoint(code);
}
