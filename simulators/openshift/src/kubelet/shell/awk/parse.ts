import { ExpressionParser } from "./parse-expression.ts";
import type { AwkFunction, AwkProgram, Pattern, Rule, Statement } from "./syntax.ts";
import { tokensOf } from "./tokens.ts";

/** @throws Error that says where the program is none */
export function parseAwk(source: string): AwkProgram {
  return new ProgramParser(tokensOf(source)).program();
}

class ProgramParser extends ExpressionParser {
  program(): AwkProgram {
    const rules: Rule[] = [];
    const functions = new Map<string, AwkFunction>();
    for (this.skipEnds(); this.token.kind !== "end"; this.skipEnds()) {
      if (this.accept("function")) {
        const name = this.take().text;
        this.expect("(");
        const parameters: string[] = [];
        while (!this.accept(")")) {
          parameters.push(this.name());
          if (!this.accept(",")) this.check(")");
          this.skipNewlines();
        }
        this.skipNewlines();
        functions.set(name, { parameters, body: this.#block() });
        continue;
      }
      const pattern = this.#pattern();
      rules.push(this.is("{") ? { pattern, body: this.#block() } : { pattern });
    }
    return { rules, functions };
  }

  #pattern(): Pattern {
    if (this.is("{")) return { kind: "always" };
    if (this.accept("BEGIN")) return { kind: "BEGIN" };
    if (this.accept("END")) return { kind: "END" };
    const from = this.expression();
    if (!this.accept(",")) return { kind: "condition", condition: from };
    this.skipNewlines();
    return { kind: "range", from, to: this.expression() };
  }

  #block(): Statement {
    this.expect("{");
    const body: Statement[] = [];
    for (this.skipEnds(); !this.accept("}"); this.skipEnds()) body.push(this.#statement());
    return { kind: "block", body };
  }

  #statement(): Statement {
    return this.nested(() => {
      if (this.is("{")) return this.#block();
      if (this.accept(";")) return { kind: "block", body: [] };
      if (this.accept("if")) return this.#if();
      if (this.accept("while")) {
        const condition = this.#condition();
        return { kind: "loop", condition, body: this.#body(), after: false };
      }
      if (this.accept("do")) {
        const body = this.#body();
        this.skipEnds();
        this.expect("while");
        return this.#ended({ kind: "loop", condition: this.#condition(), body, after: true });
      }
      if (this.accept("for")) return this.#for();
      return this.#ended(this.#simple());
    });
  }

  #simple(): Statement {
    for (const to of ["break", "continue", "next", "nextfile"] as const)
      if (this.accept(to)) return { kind: "jump", to };
    for (const kind of ["exit", "return"] as const)
      if (this.accept(kind)) return this.endsStatement() ? { kind } : { kind, value: this.expression() };
    if (this.accept("delete")) {
      const array = this.name();
      return this.accept("[")
        ? { kind: "delete", array, keys: this.listUntil("]") }
        : { kind: "delete", array };
    }
    const formatted = this.is("printf");
    if (!formatted && !this.is("print")) return { kind: "expression", expression: this.expression() };
    this.take();
    let items = this.endsStatement() || this.is(">") || this.is(">>") ? [] : this.printList();
    const [only] = items;
    if (items.length === 1 && only?.kind === "list") items = [...only.items];
    if (formatted && items.length === 0) throw new Error("printf: no format");
    if (this.is("|")) this.fail();
    const append = this.is(">>");
    if (!append && !this.is(">")) return { kind: "print", formatted, items };
    this.take();
    return { kind: "print", formatted, items, redirect: { append, file: this.concatenation() } };
  }

  #condition() {
    this.expect("(");
    const condition = this.expression();
    this.expect(")");
    return condition;
  }

  /** What a loop or a condition governs: on the same line or after it. */
  #body(): Statement {
    this.skipNewlines();
    return this.#statement();
  }

  #if(): Statement {
    const condition = this.#condition();
    const then = this.#body();
    const back = this.position;
    this.skipEnds();
    if (this.accept("else")) return { kind: "if", condition, then, otherwise: this.#body() };
    this.position = back;
    return { kind: "if", condition, then };
  }

  #for(): Statement {
    this.expect("(");
    const [variable, word, array, close] = this.ahead(4);
    if (variable?.kind === "name" && word?.text === "in" && array?.kind === "name" && close?.text === ")") {
      this.position += 4;
      return { kind: "for-in", variable: variable.text, array: array.text, body: this.#body() };
    }
    const first = this.is(";") ? undefined : this.#simple();
    this.expect(";");
    this.skipNewlines();
    const condition = this.is(";") ? undefined : this.expression();
    this.expect(";");
    this.skipNewlines();
    const each = this.is(")") ? undefined : this.#simple();
    this.expect(")");
    const body = this.#body();
    return {
      kind: "loop",
      ...(first ? { first } : {}),
      ...(condition ? { condition } : {}),
      ...(each ? { each } : {}),
      body,
      after: false,
    };
  }

  #ended(statement: Statement): Statement {
    if (!this.endsStatement()) this.fail();
    return statement;
  }
}
