/** Matches control characters, format characters and line separators. Tab and line feed are excluded. */
const hidden = /(?![\t\n])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * Makes control characters visible. An ASCII control character becomes its control picture, and every other hidden character
 * becomes its code point.
 */
export function visibleText(text: string): string {
  return text.replace(hidden, (character) => {
    const code = character.codePointAt(0) ?? 0;
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    return code === 0x7f ? "\u2421" : `\u27e8U+${code.toString(16).toUpperCase().padStart(4, "0")}\u27e9`;
  });
}
