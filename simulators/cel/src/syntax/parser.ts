import { type CallNode, ExpressionError, type LoopMacro, type Node } from "./ast.ts";
import { type Token, tokenize } from "./lexer.ts";
import { grammarWords, reservedWords } from "./words.ts";

/** Maximum length of an expression in UTF-16 code units, and maximum depth, as in cel-go. */
const maxCodeUnits = 100_000;
const maxDepth = 250;

const relations: Readonly<Record<string, string>> = {
  "==": "_==_",
  "!=": "_!=_",
  "<": "_<_",
  "<=": "_<=_",
  ">": "_>_",
  ">=": "_>=_",
  in: "@in",
};
const additions: Readonly<Record<string, string>> = { "+": "_+_", "-": "_-_" };
const multiplications: Readonly<Record<string, string>> = { "*": "_*_", "/": "_/_", "%": "_%_" };

/** Parses an expression and expands its macros. @throws ExpressionError */
export function parseExpression(source: string): Node {
  if (source.length > maxCodeUnits) {
    throw new ExpressionError(
      0,
      `expression code point size exceeds limit: size: ${source.length}, limit ${maxCodeUnits}`,
    );
  }
  const parser = new Parser(tokenize(source));
  return parser.whole();
}

class Parser {
  readonly #tokens: readonly Token[];
  #next = 0;
  #depth = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  whole(): Node {
    const node = this.#expression();
    if (this.#peek().kind !== "end") throw this.#unexpected("<EOF>");
    return node;
  }

  #expression(): Node {
    this.#enter();
    const condition = this.#logic("||", () => this.#logic("&&", () => this.#relation()));
    const at = this.#peek().at;
    let node = condition;
    if (this.#take("?")) {
      const then = this.#logic("||", () => this.#logic("&&", () => this.#relation()));
      this.#expect(":");
      node = { kind: "choice", at, condition, then, otherwise: this.#expression() };
    }
    this.#depth--;
    return node;
  }

  /** Parses a chain of `&&` or `||` into a single node. Long chains are common and must not count as depth. */
  #logic(operator: "&&" | "||", operand: () => Node): Node {
    const first = operand();
    const at = this.#peek().at;
    if (!this.#take(operator)) return first;
    const terms = [first, operand()];
    while (this.#take(operator)) terms.push(operand());
    return { kind: "logic", at, operator, terms };
  }

  #relation(): Node {
    return this.#chain(relations, () => this.#addition());
  }

  #addition(): Node {
    return this.#chain(additions, () => this.#chain(multiplications, () => this.#unary()));
  }

  #chain(operators: Readonly<Record<string, string>>, operand: () => Node): Node {
    const depth = this.#depth;
    let left = operand();
    for (;;) {
      const { kind, text, at } = this.#peek();
      const name = (kind === "symbol" || text === "in") && Object.hasOwn(operators, text) && operators[text];
      if (!name) break;
      this.#next++;
      this.#enter();
      left = { kind: "call", at, name, target: undefined, args: [left, operand()] };
    }
    this.#depth = depth;
    return left;
  }

  #unary(): Node {
    const { at } = this.#peek();
    for (const sign of ["!", "-"]) {
      let count = 0;
      while (this.#take(sign)) count++;
      if (count === 0) continue;
      const isGrouped = this.#peek().text === "(";
      const operand = this.#member();
      if (count % 2 === 0) return operand;
      if (sign === "-" && !isGrouped) return negative(at, operand);
      return { kind: "call", at, name: `${sign}_`, target: undefined, args: [operand] };
    }
    return this.#member();
  }

  #member(): Node {
    const depth = this.#depth;
    let node = this.#primary();
    for (;;) {
      const { at } = this.#peek();
      if (this.#take(".?")) {
        node = { kind: "select", at, operand: node, field: this.#field(), mode: "optional" };
      } else if (this.#take(".")) {
        const field = this.#field();
        node = this.#take("(")
          ? methodCall(at, node, field, this.#arguments(")"))
          : { kind: "select", at, operand: node, field, mode: "value" };
      } else if (this.#take("[?")) {
        node = { kind: "call", at, name: "_[?_]", target: undefined, args: [node, this.#expression()] };
        this.#expect("]");
      } else if (this.#take("[")) {
        node = { kind: "call", at, name: "_[_]", target: undefined, args: [node, this.#expression()] };
        this.#expect("]");
      } else break;
      this.#enter();
    }
    this.#depth = depth;
    return node;
  }

  /** Parses a field name. The name may be a reserved word. */
  #field(): string {
    const { kind, text, at } = this.#peek();
    // The grammar allows names in backticks, but Kubernetes does not enable them.
    if (kind === "quoted") throw new ExpressionError(at, "unsupported syntax: '`'");
    if (kind !== "name" || grammarWords.has(text)) throw this.#unexpected("IDENTIFIER");
    this.#next++;
    return text;
  }

  #primary(): Node {
    const token = this.#peek();
    const { at, kind, text } = token;
    this.#next++;
    if (kind === "literal" && token.value !== undefined) {
      // The literal of the lowest int is valid only after a minus sign.
      const limit = this.#tokens[this.#next - 2]?.text === "-" ? 2n ** 63n : 2n ** 63n - 1n;
      if (typeof token.value === "bigint" && token.value > limit) {
        throw new ExpressionError(at, "Syntax error: invalid int literal");
      }
      return { kind: "literal", at, value: token.value };
    }
    if (kind === "name") return this.#named(token);
    if (text === "(" && kind === "symbol") {
      const node = this.#expression();
      this.#expect(")");
      return node;
    }
    if (text === "[" || text === "[?") return this.#list(at, text === "[?");
    if (text === "{") return this.#map(at);
    if (text === "." && this.#peek().kind === "name") return this.#named(this.#advance());
    this.#next--;
    throw this.#unexpected("an expression");
  }

  #named({ at, text }: Token): Node {
    if (text === "true" || text === "false") return { kind: "literal", at, value: text === "true" };
    if (text === "null") return { kind: "literal", at, value: null };
    if (reservedWords.has(text)) throw new ExpressionError(at, `reserved identifier: ${text}`);
    if (this.#take("(")) return functionCall(at, text, this.#arguments(")"));
    return { kind: "name", at, name: text };
  }

  #arguments(close: string): readonly Node[] {
    const args: Node[] = [];
    if (this.#take(close)) return args;
    do args.push(this.#expression());
    while (this.#take(","));
    this.#expect(close);
    return args;
  }

  #list(at: number, firstOptional: boolean): Node {
    const elements: { value: Node; optional: boolean }[] = [];
    let optional = firstOptional;
    while (optional || !this.#take("]")) {
      if (!optional) optional = this.#take("?");
      elements.push({ value: this.#expression(), optional });
      optional = false;
      if (this.#take(",")) continue;
      this.#expect("]");
      break;
    }
    return { kind: "list", at, elements };
  }

  #map(at: number): Node {
    const entries: { key: Node; value: Node; optional: boolean }[] = [];
    while (!this.#take("}")) {
      const optional = this.#take("?");
      const key = this.#expression();
      this.#expect(":");
      entries.push({ key, value: this.#expression(), optional });
      if (this.#take(",")) continue;
      this.#expect("}");
      break;
    }
    return { kind: "map", at, entries };
  }

  #enter(): void {
    if (++this.#depth > maxDepth) {
      throw new ExpressionError(this.#peek().at, `expression recursion limit exceeded: ${maxDepth}`);
    }
  }

  #peek(): Token {
    return this.#tokens[this.#next] ?? { kind: "end", at: 0, text: "<EOF>" };
  }

  #advance(): Token {
    const token = this.#peek();
    this.#next++;
    return token;
  }

  #take(text: string): boolean {
    const token = this.#peek();
    if (token.kind !== "symbol" || token.text !== text) return false;
    this.#next++;
    return true;
  }

  #expect(text: string): void {
    if (!this.#take(text)) throw this.#unexpected(`'${text}'`);
  }

  #unexpected(expected: string): ExpressionError {
    const { at, text } = this.#peek();
    const found = text === "<EOF>" ? text : `'${text}'`;
    return new ExpressionError(at, `Syntax error: mismatched input ${found} expecting ${expected}`);
  }
}

/** `-9223372036854775808` is valid, although the number without the minus sign is too large. */
function negative(at: number, operand: Node): Node {
  if (
    operand.kind === "literal" &&
    (typeof operand.value === "bigint" || typeof operand.value === "number")
  ) {
    return { kind: "literal", at, value: -operand.value };
  }
  return { kind: "call", at, name: "-_", target: undefined, args: [operand] };
}

function functionCall(at: number, name: string, args: readonly Node[]): Node {
  if (name !== "has") return { kind: "call", at, name, target: undefined, args };
  const [operand] = args;
  if (args.length !== 1 || operand?.kind !== "select" || operand.mode !== "value") {
    throw new ExpressionError(at, "invalid argument to has() macro");
  }
  return { ...operand, mode: "presence" };
}

const loops: Readonly<Record<string, LoopMacro>> = {
  all: "all",
  exists: "exists",
  exists_one: "exists_one",
  existsOne: "exists_one",
  filter: "filter",
  map: "map",
  transformList: "transformList",
  transformMap: "transformMap",
  transformMapEntry: "transformMapEntry",
};

function methodCall(at: number, target: Node, name: string, args: readonly Node[]): Node {
  const macro = Object.hasOwn(loops, name) ? loops[name] : undefined;
  if (macro) {
    const loop = loopOf(at, name, macro, target, args);
    if (loop) return loop;
  }
  const [first, second] = args;
  if ((name === "optMap" || name === "optFlatMap") && args.length === 2 && first && second) {
    const variable = variableOf(first, name);
    return { kind: "bind", at, macro: name, variable, value: target, body: second };
  }
  const call: CallNode = { kind: "call", at, name, target, args };
  return call;
}

function loopOf(
  at: number,
  name: string,
  macro: LoopMacro,
  range: Node,
  args: readonly Node[],
): Node | undefined {
  const [first, second, third, fourth] = args;
  const node = { kind: "loop", at, macro, range } as const;
  if (!first || !second) return undefined;
  const variable = () => variableOf(first, macro);
  const pair = (): readonly [string, string] => [variable(), variableOf(second, macro)];
  // The macro name `existsOne` exists only with two variables.
  if (name === "existsOne" && !third) return undefined;
  const tests = macro === "all" || macro === "exists" || macro === "exists_one" || macro === "filter";
  if (tests && !third) return { ...node, variables: [variable()], condition: second, body: undefined };
  if (tests && macro !== "filter" && third && !fourth) {
    return { ...node, variables: pair(), condition: third, body: undefined };
  }
  if (macro === "map" && !fourth) {
    return third
      ? { ...node, variables: [variable()], condition: second, body: third }
      : { ...node, variables: [variable()], condition: undefined, body: second };
  }
  if (!macro.startsWith("transform") || !third || args.length > 4) return undefined;
  return fourth
    ? { ...node, variables: pair(), condition: third, body: fourth }
    : { ...node, variables: pair(), condition: undefined, body: third };
}

function variableOf(node: Node, macro: string): string {
  if (node.kind === "name") return node.name;
  throw new ExpressionError(node.at, `argument to ${macro}() macro is not an identifier`);
}
