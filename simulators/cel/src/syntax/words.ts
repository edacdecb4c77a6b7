/** Words that the grammar has for itself: nothing can be called so, not even a field. */
export const grammarWords: ReadonlySet<string> = new Set(["false", "in", "null", "true"]);

/** Words that are no names of variables and functions: those of the grammar, and what it may want one day. */
export const reservedWords: ReadonlySet<string> = new Set([
  ...grammarWords,
  ..."as break const continue else for function if import let loop package namespace return var void while".split(
    " ",
  ),
]);

/** Whether a variable may be called so. */
export function isIdentifier(text: string): boolean {
  return /^[_a-zA-Z][_a-zA-Z0-9]*$/.test(text) && !reservedWords.has(text);
}
