/** Control characters but the tabulator, line separators, and characters that change the direction of text. */
const unprintable = /(?!\t)[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;
const deleteCode = 0x7f;

/** Replaces control characters by visible ones: ESC by `␛`, others by their code `\u202e`. */
export function printable(text: string): string {
  return text.replace(unprintable, (character) => {
    const code = character.charCodeAt(0);
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    if (code === deleteCode) return "\u2421";
    return `\\u${code.toString(16).padStart(4, "0")}`;
  });
}
