/**
 * Matches line separators, characters that change the text direction, and all control characters except tab. A terminal or
 * browser would interpret these characters in strings from a cluster. The pattern is global and therefore has a state, so use it
 * only with `replace`.
 */
export const unprintable = /(?!\t)[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;
