import {
  type JsonObject,
  type JsonValue,
  WorkBudget,
  WorkBudgetExceeded,
  type WorkLimits,
} from "@keelson/base";
import { isJsonObject } from "../base/json.ts";
import { GraphError } from "./graph-error.ts";

/** Returns true if an object matches the filter. */
export type Predicate = (object: JsonObject) => boolean;

type Scope = ReadonlyMap<string, JsonValue | undefined>;
type Expression = (object: JsonValue | undefined, scope: Scope) => JsonValue | undefined;

const maxLength = 4_000;
const maxDepth = 32;
/** Evaluation limits of a filter. They apply to the sum over all objects of a request. */
const limits: WorkLimits = { nodes: 1_000_000, bytes: 64 * 1024 * 1024, timeMs: 10_000 };
const tokenPattern = /\s*(?:('(?:[^']|'')*')|([\w@.$-]+(?:\/[\w@.$-]+)*)|([(),:]))/y;

/**
 * Parses an OData `$filter` with the operators that Microsoft Graph supports: comparisons, `in`, `startswith`, `endswith`, `any`,
 * `and`, `or` and `not`. Strings are case-insensitive.
 * @throws GraphError 400 for unsupported syntax
 */
export function parseFilter(text: string): Predicate {
  const budget = new WorkBudget(limits);
  const expression = new Parser(text, budget).parse();
  return (object) => {
    try {
      return expression(object, new Map()) === true;
    } catch (error) {
      if (!(error instanceof WorkBudgetExceeded)) throw error;
      throw new GraphError(
        400,
        "BadRequest",
        "The evaluation of the filter takes too long: use fewer 'any' in 'any'.",
      );
    }
  };
}

class Parser {
  readonly #text: string;
  readonly #tokens: readonly string[];
  #at = 0;
  readonly #budget: WorkBudget;
  #depth = 0;

  constructor(text: string, budget: WorkBudget) {
    this.#text = text;
    this.#budget = budget;
    this.#tokens = text.length <= maxLength ? tokensOf(text, () => this.#error()) : [];
  }

  parse(): Expression {
    const expression = this.#or();
    if (this.#at < this.#tokens.length) throw this.#error();
    return expression;
  }

  #or(): Expression {
    if (++this.#depth > maxDepth) throw this.#error();
    let left = this.#and();
    while (this.#skip("or")) left = either(left, this.#and());
    this.#depth -= 1;
    return left;
  }

  #and(): Expression {
    let left = this.#unary();
    while (this.#skip("and")) left = both(left, this.#unary());
    return left;
  }

  #unary(): Expression {
    if (!this.#skip("not")) return this.#comparison();
    if (++this.#depth > maxDepth) throw this.#error();
    const inner = this.#unary();
    this.#depth -= 1;
    return (object, scope) => inner(object, scope) !== true;
  }

  #comparison(): Expression {
    if (this.#skip("(")) {
      const inner = this.#or();
      this.#expect(")");
      return inner;
    }
    const left = this.#operand();
    const operator = this.#tokens[this.#at]?.toLowerCase() ?? "";
    if (operator === "in") {
      this.#at += 1;
      const choices = this.#list();
      const budget = this.#budget;
      return (object, scope) => {
        budget.spend(choices.length);
        return choices.some((each) => same(left(object, scope), each(object, scope)));
      };
    }
    const compare = comparisons[operator];
    if (!compare) return left;
    this.#at += 1;
    const right = this.#operand();
    return (object, scope) => compare(left(object, scope), right(object, scope));
  }

  #list(): readonly Expression[] {
    this.#expect("(");
    const found = [this.#operand()];
    while (this.#skip(",")) found.push(this.#operand());
    this.#expect(")");
    return found;
  }

  #operand(): Expression {
    const token = this.#next();
    const name = token.toLowerCase();
    if (token.startsWith("'")) return constant(token.slice(1, -1).replaceAll("''", "'"));
    if (name === "true" || name === "false") return constant(name === "true");
    if (name === "null") return constant(null);
    if (/^-?\d+(\.\d+)?$/.test(token)) return constant(Number(token));
    // Time literals have no quotes. They are compared as strings.
    if (/^\d{4}-\d{2}-\d{2}T/i.test(token)) return constant(token + this.#restOfTime());
    if (name === "startswith" || name === "endswith") return this.#textCall(name);
    if (name.endsWith("/any")) return this.#any(token.slice(0, -"/any".length));
    if (operators.includes(name)) throw this.#error();
    if (/^[\w@.$-]+(\/[\w@.$-]+)*$/.test(token)) return property(token.split("/"));
    throw this.#error();
  }

  #restOfTime(): string {
    let rest = "";
    while (this.#skip(":")) rest += `:${this.#next()}`;
    return rest;
  }

  #textCall(name: "startswith" | "endswith"): Expression {
    const [left, right] = this.#list();
    if (!left || !right) throw this.#error();
    return (object, scope) => {
      const [text, part] = [left(object, scope), right(object, scope)];
      if (typeof text !== "string" || typeof part !== "string") return false;
      const [whole, wanted] = [text.toLowerCase(), part.toLowerCase()];
      return name === "startswith" ? whole.startsWith(wanted) : whole.endsWith(wanted);
    };
  }

  #any(path: string): Expression {
    const list = property(path.split("/"));
    this.#expect("(");
    const name = this.#next();
    this.#expect(":");
    const inner = this.#or();
    this.#expect(")");
    const budget = this.#budget;
    return (object, scope) => {
      const entries = list(object, scope);
      if (!Array.isArray(entries)) return false;
      return entries.some((each) => {
        budget.spend(1 + scope.size);
        return inner(object, new Map([...scope, [name, each]])) === true;
      });
    };
  }

  #next(): string {
    const token = this.#tokens[this.#at];
    if (token === undefined) throw this.#error();
    this.#at += 1;
    return token;
  }

  #skip(token: string): boolean {
    if (this.#tokens[this.#at]?.toLowerCase() !== token) return false;
    this.#at += 1;
    return true;
  }

  #expect(token: string): void {
    if (!this.#skip(token)) throw this.#error();
  }

  #error(): GraphError {
    const shown = this.#text.slice(0, 200);
    return new GraphError(400, "BadRequest", `Invalid filter clause: '${shown}' is not supported.`);
  }
}

function tokensOf(text: string, error: () => GraphError): readonly string[] {
  const tokens: string[] = [];
  const pattern = new RegExp(tokenPattern);
  const end = text.trimEnd().length;
  while (pattern.lastIndex < end) {
    const found = pattern.exec(text);
    if (!found) throw error();
    tokens.push(found[1] ?? found[2] ?? found[3] ?? "");
  }
  return tokens;
}

const operators = ["and", "or", "not", "in", "eq", "ne", "ge", "gt", "le", "lt"];

const comparisons: Readonly<Record<string, (a: JsonValue | undefined, b: JsonValue | undefined) => boolean>> =
  {
    eq: same,
    ne: (a, b) => !same(a, b),
    ge: (a, b) => order(a, b, (sign) => sign >= 0),
    gt: (a, b) => order(a, b, (sign) => sign > 0),
    le: (a, b) => order(a, b, (sign) => sign <= 0),
    lt: (a, b) => order(a, b, (sign) => sign < 0),
  };

function same(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  return folded(a ?? null) === folded(b ?? null);
}

function order(
  a: JsonValue | undefined,
  b: JsonValue | undefined,
  holds: (sign: number) => boolean,
): boolean {
  const [left, right] = [folded(a), folded(b)];
  if (typeof left === "number" && typeof right === "number") return holds(left - right);
  if (typeof left !== "string" || typeof right !== "string") return false;
  return holds(left < right ? -1 : left > right ? 1 : 0);
}

function folded(value: JsonValue | undefined): JsonValue | undefined {
  return typeof value === "string" ? value.toLowerCase() : value;
}

function constant(value: JsonValue): Expression {
  return () => value;
}

function property(path: readonly string[]): Expression {
  return (object, scope) => {
    const [first = "", ...rest] = path;
    const isVariable = scope.has(first);
    const start = isVariable ? scope.get(first) : object;
    return (isVariable ? rest : path).reduce<JsonValue | undefined>(
      (each, name) => (isJsonObject(each) && Object.hasOwn(each, name) ? each[name] : undefined),
      start,
    );
  };
}

function both(left: Expression, right: Expression): Expression {
  return (object, scope) => left(object, scope) === true && right(object, scope) === true;
}

function either(left: Expression, right: Expression): Expression {
  return (object, scope) => left(object, scope) === true || right(object, scope) === true;
}
