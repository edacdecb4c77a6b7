/** Keywords of the grammar. They cannot be names of variables or fields. */
export const grammarWords: ReadonlySet<string> = new Set(["false", "in", "null", "true"]);

/** Words that cannot be names of variables or functions. They are keywords or reserved for future use. */
export const reservedWords: ReadonlySet<string> = new Set([
  ...grammarWords,
  ..."as break const continue else for function if import let loop package namespace return var void while".split(
    " ",
  ),
]);

/** True if the string is a valid variable name. */
export function isIdentifier(text: string): boolean {
  return /^[_a-zA-Z][_a-zA-Z0-9]*$/.test(text) && !reservedWords.has(text);
}
