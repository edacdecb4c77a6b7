import { badRequest } from "../errors/cosmos-error.ts";

export interface Token {
  readonly kind: "word" | "parameter" | "text" | "number" | "symbol" | "end";
  readonly text: string;
  /** Start offset of the token in the query. */
  readonly at: number;
}

const patterns: readonly (readonly [Token["kind"] | "space", RegExp])[] = [
  ["space", /\s+/y],
  ["word", /[A-Za-z_][A-Za-z0-9_]*/y],
  ["parameter", /@[A-Za-z_][A-Za-z0-9_]*/y],
  ["number", /\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y],
  ["text", /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/y],
  ["symbol", /\?\?|!=|<>|<=|>=|[=<>+\-*().,[\]{}:]/y],
];

/** Splits a query into tokens. @throws CosmosError for an invalid character */
export function tokensOf(query: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  scanning: while (at < query.length) {
    for (const [kind, pattern] of patterns) {
      pattern.lastIndex = at;
      const match = pattern.exec(query);
      if (!match) continue;
      if (kind !== "space") tokens.push({ kind, text: match[0], at });
      at += match[0].length;
      continue scanning;
    }
    throw badRequest(`Syntax error, invalid token at character ${at} of the query.`);
  }
  tokens.push({ kind: "end", text: "the end of the query", at });
  return tokens;
}
