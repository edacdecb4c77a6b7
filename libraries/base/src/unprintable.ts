/**
 * Matches control characters, line separators, and characters that change the text direction. Tab is excluded. A terminal or browser
 * would interpret these characters in strings from a cluster. Use it only with `replace`, because the pattern is global.
 */
export const unprintable = /(?!\t)[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;
