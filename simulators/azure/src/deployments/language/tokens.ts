import { ExpressionError } from "../errors/template-error.ts";

export interface Token {
  readonly kind: "name" | "string" | "number" | "symbol" | "end";
  readonly text: string;
  readonly at: number;
}

const token = /(?:([A-Za-z_$][\w$]*)|'((?:[^']|'')*)'|([+-]?\d+(?:\.\d+)?)|(\.\?|\[\?|[()[\],.]))\s*/y;

/** Maximum length of an expression in characters, as in Azure. */
const maxLength = 24_576;

/** Splits an expression into tokens. In a string, a quote is written as two quotes. @throws ExpressionError */
export function tokensOf(source: string): readonly Token[] {
  if (source.length > maxLength) {
    throw new ExpressionError(
      `The language expression length limit exceeded. Limit: '${maxLength}' and actual: '${source.length}'`,
    );
  }
  const tokens: Token[] = [];
  token.lastIndex = source.length - source.trimStart().length;
  while (token.lastIndex < source.length) {
    const at = token.lastIndex;
    const found = token.exec(source);
    if (!found) {
      throw new ExpressionError(
        `The language expression '${source}' is not valid: the character at position '${at}' is not expected`,
      );
    }
    const [, name, string, number, symbol] = found;
    if (name !== undefined) tokens.push({ kind: "name", text: name, at });
    else if (string !== undefined) tokens.push({ kind: "string", text: string.replaceAll("''", "'"), at });
    else if (number !== undefined) tokens.push({ kind: "number", text: number, at });
    else tokens.push({ kind: "symbol", text: symbol ?? "", at });
  }
  return [...tokens, { kind: "end", text: "EndOfData", at: source.length }];
}
