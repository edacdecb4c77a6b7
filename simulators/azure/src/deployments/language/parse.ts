import { ExpressionError } from "../errors/template-error.ts";
import type { Expression, TemplateText } from "./syntax.ts";
import { type Token, tokensOf } from "./tokens.ts";

/** Maximum nesting depth. Real templates are less deep, and this depth does not exhaust the stack. */
const maxDepth = 256;

/**
 * Parses a template string. `[...]` is an expression. `[[...` is a literal that begins with a bracket. All other strings are
 * literals.
 * @throws ExpressionError
 */
export function parseText(text: string): TemplateText {
  if (!text.startsWith("[") || !text.endsWith("]")) return { literal: text };
  if (text.startsWith("[[")) return { literal: text.slice(1) };
  return { expression: parseExpression(text.slice(1, -1)) };
}

/** Parses an expression without its brackets. @throws ExpressionError */
export function parseExpression(source: string): Expression {
  const parser = new Parser(source);
  const expression = parser.expression(0);
  parser.end();
  return expression;
}

class Parser {
  readonly #source: string;
  readonly #tokens: readonly Token[];
  #next = 0;

  constructor(source: string) {
    this.#source = source;
    this.#tokens = tokensOf(source);
  }

  expression(depth: number): Expression {
    if (depth > maxDepth) throw this.#error("it is nested too deeply");
    let expression = this.#primary(depth);
    for (let members = 0; ; members++) {
      if (depth + members > maxDepth) throw this.#error("it is nested too deeply");
      const symbol = this.#peek();
      if (symbol.kind !== "symbol") return expression;
      const safe = symbol.text.endsWith("?");
      if (symbol.text.startsWith(".")) {
        this.#next += 1;
        const { kind, text } = this.#take();
        if (kind !== "name") throw this.#unexpected(text, "Identifier");
        expression = { kind: "member", of: expression, name: text, safe };
      } else if (symbol.text.startsWith("[")) {
        this.#next += 1;
        const at = this.expression(depth + 1);
        this.#expect("]");
        expression = { kind: "index", of: expression, at, safe };
      } else return expression;
    }
  }

  end(): void {
    const { kind, text } = this.#peek();
    if (kind !== "end") throw this.#unexpected(text, "EndOfData");
  }

  #primary(depth: number): Expression {
    const { kind, text } = this.#take();
    if (kind === "string") return { kind: "literal", value: text };
    if (kind === "number") return { kind: "literal", value: Number(text) };
    if (kind !== "name") throw this.#unexpected(text, "LiteralString, Identifier, Integer");
    let name = text;
    while (this.#peek().text === "." && this.#peek().kind === "symbol") {
      this.#next += 1;
      name += `.${this.#take().text}`;
    }
    this.#expect("(");
    return { kind: "call", name, args: this.#args(depth) };
  }

  #args(depth: number): readonly Expression[] {
    const args: Expression[] = [];
    if (this.#isSymbol(")")) return args;
    for (;;) {
      args.push(this.expression(depth + 1));
      if (this.#isSymbol(")")) return args;
      this.#expect(",");
    }
  }

  /** Consumes the next token if it is the given symbol. Returns true if the token was consumed. */
  #isSymbol(text: string): boolean {
    const next = this.#peek();
    if (next.kind !== "symbol" || next.text !== text) return false;
    this.#next += 1;
    return true;
  }

  #expect(text: string): void {
    if (!this.#isSymbol(text)) throw this.#unexpected(this.#peek().text, text);
  }

  #peek(): Token {
    return this.#tokens[this.#next] ?? { kind: "end", text: "EndOfData", at: this.#source.length };
  }

  #take(): Token {
    const token = this.#peek();
    this.#next += 1;
    return token;
  }

  #unexpected(actual: string, expected: string): ExpressionError {
    return this.#error(`expected token '${expected}' and actual '${actual}'`);
  }

  #error(reason: string): ExpressionError {
    return new ExpressionError(`The language expression '${this.#source}' is not valid: ${reason}`);
  }
}
