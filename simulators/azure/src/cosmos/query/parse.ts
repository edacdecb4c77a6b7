import { badRequest } from "../errors/cosmos-error.ts";
import type { BinaryOperator, Expression, Member, Path, Query } from "./syntax.ts";
import { type Token, tokensOf } from "./tokens.ts";

/** Parses a query. @throws CosmosError 400 for an invalid or unsupported query */
export function parseQuery(text: string): Query {
  if (text.length > maxLength) {
    throw badRequest(`The query has ${text.length} characters, and may have ${maxLength}.`);
  }
  return new Parser(tokensOf(text)).query();
}

/** Maximum query length in characters, as in the service. */
const maxLength = 512 * 1024;

/** Maximum expression nesting. Deeper nesting would exhaust the stack. */
const maxDepth = 64;

/**
 * Maximum number of consecutive operators. Each operator adds a level to the expression tree, so this number limits the depth of
 * the tree.
 */
const maxOperators = 1_000;

/** Binary operators in order of increasing precedence. */
const precedence: readonly (readonly BinaryOperator[])[] = [
  ["OR"],
  ["AND"],
  ["=", "!=", "<", "<=", ">", ">="],
  ["??"],
  ["+", "-"],
  ["*"],
];
const keywords =
  /^(SELECT|TOP|VALUE|AS|FROM|WHERE|ORDER|BY|ASC|DESC|AND|OR|NOT|IN|TRUE|FALSE|NULL|UNDEFINED)$/i;

class Parser {
  readonly #tokens: readonly Token[];
  #next = 0;
  #depth = 0;
  #operators = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  query(): Query {
    this.#expect("SELECT");
    const top = this.#take("TOP") ? this.#number() : undefined;
    const select = this.#selection();
    this.#expect("FROM");
    const alias = this.#name();
    const where = this.#take("WHERE") ? this.#expression() : undefined;
    let orderBy: Query["orderBy"];
    if (this.#take("ORDER")) {
      this.#expect("BY");
      const path = this.#expression();
      if (path.kind !== "path") throw badRequest("ORDER BY takes a path of the item.");
      const descending = this.#take("DESC");
      if (!descending) this.#take("ASC");
      orderBy = { path, descending };
    }
    if (this.#peek().kind !== "end") throw this.#unexpected();
    return { top, select, alias, where, orderBy };
  }

  #selection(): Query["select"] {
    if (this.#take("*")) return { kind: "all" };
    if (this.#take("VALUE")) return { kind: "value", expression: this.#expression() };
    const members: Member[] = [];
    do {
      const expression = this.#expression();
      const name = this.#take("AS") ? this.#name() : nameOf(expression, members.length);
      members.push({ name, expression });
    } while (this.#take(","));
    return { kind: "members", members };
  }

  #expression(level = 0): Expression {
    const operators = precedence[level];
    if (!operators) return this.#unary();
    let left = this.#expression(level + 1);
    for (;;) {
      if (level === 2 && this.#isNext("IN")) {
        this.#next++;
        this.#expect("(");
        left = { kind: "in", operand: left, among: this.#list(")") };
        continue;
      }
      const operator = operators.find((each) => this.#isNext(each) || (each === "!=" && this.#isNext("<>")));
      if (!operator) return left;
      this.#next++;
      left = { kind: "binary", operator, left, right: this.#expression(level + 1) };
      this.#operators += 1;
      if (this.#operators > maxOperators)
        throw badRequest(`The query has more than ${maxOperators} operators.`);
    }
  }

  #unary(): Expression {
    if (++this.#depth > maxDepth) throw badRequest(`The query is nested deeper than ${maxDepth} levels.`);
    const found = this.#signed();
    this.#depth -= 1;
    return found;
  }

  #signed(): Expression {
    if (this.#take("NOT")) return { kind: "not", operand: this.#unary() };
    if (this.#take("-")) {
      const zero: Expression = { kind: "literal", value: 0 };
      return { kind: "binary", operator: "-", left: zero, right: this.#unary() };
    }
    return this.#primary();
  }

  #primary(): Expression {
    const token = this.#peek();
    if (token.kind === "number") return { kind: "literal", value: this.#number() };
    if (token.kind === "text") return { kind: "literal", value: this.#text() };
    if (token.kind === "parameter") return { kind: "parameter", name: this.#advance().text };
    if (this.#take("TRUE")) return { kind: "literal", value: true };
    if (this.#take("FALSE")) return { kind: "literal", value: false };
    if (this.#take("NULL")) return { kind: "literal", value: null };
    if (this.#take("UNDEFINED")) return { kind: "literal", value: undefined };
    if (this.#take("[")) return { kind: "array", elements: this.#list("]") };
    if (this.#take("{")) return { kind: "object", members: this.#members() };
    if (this.#take("(")) {
      const inner = this.#expression();
      this.#expect(")");
      return inner;
    }
    const name = this.#name();
    if (this.#take("(")) return { kind: "call", name: name.toUpperCase(), args: this.#list(")") };
    return this.#path(name);
  }

  #path(root: string): Path {
    const steps: string[] = [];
    for (;;) {
      if (this.#take(".")) steps.push(this.#advance().text);
      else if (this.#take("[")) {
        steps.push(this.#text());
        this.#expect("]");
      } else return { kind: "path", root, steps };
    }
  }

  #list(end: string): Expression[] {
    const elements: Expression[] = [];
    if (this.#take(end)) return elements;
    do elements.push(this.#expression());
    while (this.#take(","));
    this.#expect(end);
    return elements;
  }

  #members(): Member[] {
    const members: Member[] = [];
    if (this.#take("}")) return members;
    do {
      const name = this.#peek().kind === "text" ? this.#text() : this.#name();
      this.#expect(":");
      members.push({ name, expression: this.#expression() });
    } while (this.#take(","));
    this.#expect("}");
    return members;
  }

  #name(): string {
    const token = this.#advance();
    if (token.kind === "word" && !keywords.test(token.text)) return token.text;
    this.#next--;
    throw this.#unexpected();
  }

  #number(): number {
    const token = this.#advance();
    if (token.kind === "number") return Number(token.text);
    this.#next--;
    throw this.#unexpected();
  }

  #text(): string {
    const token = this.#advance();
    if (token.kind !== "text") {
      this.#next--;
      throw this.#unexpected();
    }
    const inner = token.text
      .slice(1, -1)
      .replaceAll("\\'", "'")
      .replaceAll(/(?<!\\)"/g, '\\"');
    return String(JSON.parse(`"${inner}"`));
  }

  #peek(): Token {
    const token = this.#tokens[this.#next];
    if (!token) throw badRequest("Syntax error, the query ends too early.");
    return token;
  }

  #advance(): Token {
    const token = this.#peek();
    if (token.kind !== "end") this.#next++;
    return token;
  }

  #isNext(text: string): boolean {
    const token = this.#peek();
    return (token.kind === "word" || token.kind === "symbol") && token.text.toUpperCase() === text;
  }

  #take(text: string): boolean {
    if (!this.#isNext(text)) return false;
    this.#next++;
    return true;
  }

  #expect(text: string): void {
    if (!this.#take(text)) throw this.#unexpected();
  }

  #unexpected() {
    const { text, at } = this.#peek();
    return badRequest(`Syntax error, incorrect syntax near '${text}' at character ${at} of the query.`);
  }
}

/**
 * Returns the name of a selected field: the last segment of the field's path. Fields without a path have the names `$1`, `$2` and
 * so on.
 */
function nameOf(expression: Expression, index: number): string {
  const last = expression.kind === "path" ? (expression.steps.at(-1) ?? expression.root) : undefined;
  return last ?? `$${index + 1}`;
}
