import { builtins } from "./builtins.ts";
import type { Expression, Target } from "./syntax.ts";
import type { Token } from "./tokens.ts";

const maxNested = 200;
const comparisons = ["<", "<=", "==", "!=", ">", ">="];
const assignments = ["=", "+=", "-=", "*=", "/=", "%=", "^=", "**="];

/** Reads expressions by precedence (POSIX awk, Expressions in Decreasing Precedence). */
export class ExpressionParser {
  protected position = 0;
  readonly #tokens: readonly Token[];
  #nested = 0;
  /** Within the list of a `print` that has no parentheses: there `>` redirects. */
  #inPrint = false;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  protected expression(): Expression {
    return this.nested(() => {
      const condition = this.#or();
      if (!this.accept("?")) return this.#assignment(condition);
      this.skipNewlines();
      const then = this.expression();
      this.skipNewlines();
      this.expect(":");
      this.skipNewlines();
      return { kind: "choice", condition, then, otherwise: this.expression() };
    });
  }

  protected printList(): readonly Expression[] {
    const before = this.#inPrint;
    this.#inPrint = true;
    try {
      const items = [this.expression()];
      while (this.accept(",")) {
        this.skipNewlines();
        items.push(this.expression());
      }
      return items;
    } finally {
      this.#inPrint = before;
    }
  }

  protected listUntil(close: string): readonly Expression[] {
    const before = this.#inPrint;
    this.#inPrint = false;
    const items: Expression[] = [];
    this.skipNewlines();
    while (!this.accept(close)) {
      items.push(this.expression());
      this.skipNewlines();
      if (!this.accept(",")) this.check(close);
      this.skipNewlines();
    }
    this.#inPrint = before;
    return items;
  }

  #assignment(left: Expression): Expression {
    const operator = assignments.find((each) => this.is(each));
    if (operator === undefined) return left;
    const target = this.#target(left);
    this.take();
    this.skipNewlines();
    return {
      kind: "assign",
      operator: operator.replace("**", "^").slice(0, -1),
      target,
      value: this.expression(),
    };
  }

  #or(): Expression {
    return this.#leftmost(() => this.#and(), ["||"]);
  }

  #and(): Expression {
    return this.#leftmost(() => this.#in(), ["&&"]);
  }

  #leftmost(operand: () => Expression, operators: readonly string[]): Expression {
    let left = operand();
    for (;;) {
      const operator = operators.find((each) => this.is(each));
      if (operator === undefined) return left;
      this.take();
      this.skipNewlines();
      left = { kind: "binary", operator, left, right: operand() };
    }
  }

  #in(): Expression {
    let left = this.#match();
    while (this.accept("in")) {
      left = { kind: "in", keys: left.kind === "list" ? left.items : [left], array: this.name() };
    }
    return left;
  }

  #match(): Expression {
    return this.#leftmost(() => this.#comparison(), ["~", "!~"]);
  }

  #comparison(): Expression {
    const left = this.concatenation();
    const operator = comparisons.find((each) => this.is(each));
    if (operator === undefined || (this.#inPrint && operator === ">")) return left;
    this.take();
    return { kind: "binary", operator, left, right: this.concatenation() };
  }

  protected concatenation(): Expression {
    let left = this.#sum();
    while (this.#beginsOperand()) left = { kind: "binary", operator: "", left, right: this.#sum() };
    return left;
  }

  #beginsOperand(): boolean {
    const { kind, text } = this.token;
    if (kind === "keyword") return false;
    if (kind !== "sign") return kind !== "newline" && kind !== "end";
    return ["$", "(", "++", "--"].includes(text);
  }

  #sum(): Expression {
    return this.#leftmost(() => this.#product(), ["+", "-"]);
  }

  #product(): Expression {
    return this.#leftmost(() => this.#unary(), ["*", "/", "%"]);
  }

  #unary(): Expression {
    return this.nested(() => {
      for (const operator of ["!", "-", "+"] as const)
        if (this.accept(operator)) return { kind: "unary", operator, operand: this.#unary() };
      return this.#power();
    });
  }

  #power(): Expression {
    const left = this.#step();
    if (!this.accept("^") && !this.accept("**")) return left;
    const sign = this.is("-") || this.is("+") || this.is("!");
    return {
      kind: "binary",
      operator: "^",
      left,
      right: sign ? this.#unary() : this.nested(() => this.#power()),
    };
  }

  #step(): Expression {
    for (const [sign, by] of [
      ["++", 1],
      ["--", -1],
    ] as const)
      if (this.accept(sign)) return { kind: "step", by, before: true, target: this.#target(this.#step()) };
    const operand = this.#primary();
    if (operand.kind !== "variable" && operand.kind !== "element" && operand.kind !== "field") return operand;
    if (this.accept("++")) return { kind: "step", by: 1, before: false, target: operand };
    if (this.accept("--")) return { kind: "step", by: -1, before: false, target: operand };
    return operand;
  }

  #primary(): Expression {
    const { kind, text } = this.take();
    if (kind === "number") return { kind: "number", value: Number(text) };
    if (kind === "string") return { kind: "string", value: text };
    if (kind === "regex") return { kind: "regex", source: text };
    if (text === "$" && kind === "sign")
      return { kind: "field", index: this.nested(() => this.#fieldIndex()) };
    if (text === "(" && kind === "sign") {
      const items = this.listUntil(")");
      const [only] = items;
      if (items.length > 1) return { kind: "list", items };
      if (only) return only;
    }
    if (text === "getline" && kind === "keyword") return this.#getline();
    if (kind === "function-name") {
      this.expect("(");
      return { kind: "call", name: text, args: this.listUntil(")") };
    }
    if (kind === "name") {
      if (this.accept("[")) return { kind: "element", array: text, keys: this.listUntil("]") };
      if (Object.hasOwn(builtins, text))
        return { kind: "call", name: text, args: this.accept("(") ? this.listUntil(")") : [] };
      return { kind: "variable", name: text };
    }
    this.position -= 1;
    return this.fail();
  }

  /** `$i++` counts the field up, `$++i` the index. */
  #fieldIndex(): Expression {
    if (this.is("++") || this.is("--")) return this.#step();
    for (const operator of ["-", "+", "!"] as const)
      if (this.accept(operator)) return { kind: "unary", operator, operand: this.#fieldIndex() };
    return this.#primary();
  }

  #getline(): Expression {
    const hasTarget = this.is("$") || this.token.kind === "name";
    const target = hasTarget ? this.#target(this.#primary()) : undefined;
    const file = this.accept("<") ? this.#step() : undefined;
    return { kind: "getline", ...(target ? { target } : {}), ...(file ? { file } : {}) };
  }

  #target(expression: Expression): Target {
    if (expression.kind === "variable" || expression.kind === "element" || expression.kind === "field")
      return expression;
    return this.fail();
  }

  protected get token(): Token {
    return this.#tokens[this.position] ?? { kind: "end", text: "" };
  }

  protected ahead(count: number): readonly Token[] {
    return this.#tokens.slice(this.position, this.position + count);
  }

  protected take(): Token {
    const { token } = this;
    this.position += 1;
    return token;
  }

  protected is(text: string): boolean {
    const { kind } = this.token;
    return (kind === "sign" || kind === "keyword") && this.token.text === text;
  }

  protected accept(text: string): boolean {
    const found = this.is(text);
    if (found) this.position += 1;
    return found;
  }

  protected check(text: string): void {
    if (!this.is(text)) this.fail();
  }

  protected expect(text: string): void {
    this.check(text);
    this.position += 1;
  }

  protected name(): string {
    if (this.token.kind !== "name") this.fail();
    return this.take().text;
  }

  protected skipNewlines(): void {
    while (this.token.kind === "newline") this.position += 1;
  }

  protected skipEnds(): void {
    while (this.token.kind === "newline" || this.is(";")) this.position += 1;
  }

  protected endsStatement(): boolean {
    return (
      this.token.kind === "newline" ||
      this.token.kind === "end" ||
      [";", "}", ")"].some((each) => this.is(each))
    );
  }

  protected nested<T>(read: () => T): T {
    this.#nested += 1;
    if (this.#nested > maxNested) throw new Error("nested too deeply");
    try {
      return read();
    } finally {
      this.#nested -= 1;
    }
  }

  protected fail(): never {
    const { kind, text } = this.token;
    if (this.is("|")) throw new Error("commands are not run from awk");
    throw new Error(
      `syntax error at ${kind === "end" ? "the end" : kind === "newline" ? "the end of a line" : `'${text}'`}`,
    );
  }
}
