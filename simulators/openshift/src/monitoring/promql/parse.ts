import type { SyntaxNode } from "@lezer/common";
import { parser } from "@prometheus-io/lezer-promql";
import { RE2JS } from "re2js";
import { errors } from "../../base/errors.ts";
import type { Aggregation, Binary, Expression, Grouping, Matcher, Selector } from "./expression.ts";

const maxLength = 8_192;
const maxDepth = 64;

/** Parses a PromQL query. @throws BadQuery with the syntax error or the unsupported feature */
export function parseQuery(text: string): Expression {
  if (text.length > maxLength) throw errors.BadQuery(`the query is longer than ${maxLength} characters`);
  if (text.trim() === "") throw errors.BadQuery("parse error: no expression found in input");
  const tree = parser.parse(text);
  tree.iterate({
    enter: ({ type, from }) => {
      if (type.isError) throw errors.BadQuery(`${positionOf(text, from)}: parse error: unexpected input`);
    },
  });
  const node = tree.topNode.firstChild;
  if (!node) throw errors.BadQuery("parse error: no expression found in input");
  return new Reader(text).expression(node, 0);
}

/** @throws BadQuery */
export function parseSelector(text: string): readonly Matcher[] {
  const expression = parseQuery(text);
  if (expression.kind !== "selector" || expression.selector.rangeMs !== undefined)
    throw errors.BadQuery("a series selector is expected");
  return expression.selector.matchers;
}

class Reader {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  expression(node: SyntaxNode, depth: number): Expression {
    if (depth > maxDepth) throw errors.BadQuery("the query is nested too deeply");
    const child = (each: SyntaxNode) => this.expression(each, depth + 1);
    switch (node.name) {
      case "NumberDurationLiteral":
        return { kind: "number", value: parseNumber(this.#of(node)) };
      case "ParenExpr":
        return child(required(node.firstChild));
      case "UnaryExpr": {
        const operand = child(required(node.lastChild));
        return this.#of(required(node.firstChild)) === "-" ? { kind: "negation", operand } : operand;
      }
      case "VectorSelector":
      case "MatrixSelector":
      case "OffsetExpr":
        return { kind: "selector", selector: this.#selector(node) };
      case "FunctionCall":
        return {
          kind: "call",
          name: this.#of(required(node.getChild("FunctionIdentifier"))),
          args: children(node.getChild("FunctionCallBody")).map(child),
        };
      case "AggregateExpr":
        return this.#aggregation(node, child);
      case "BinaryExpr":
        return this.#binary(node, child);
      default:
        throw errors.BadQuery(`${node.name} is not supported by the simulated Prometheus`);
    }
  }

  #aggregation(node: SyntaxNode, child: (node: SyntaxNode) => Expression): Aggregation {
    const operator = this.#of(required(node.getChild("AggregateOp"))).toLowerCase();
    const args = children(node.getChild("FunctionCallBody")).map(child);
    const modifier = node.getChild("AggregateModifier");
    const operand = args.at(-1);
    if (!operand || args.length > 2) throw errors.BadQuery(`${operator} has a wrong number of arguments`);
    return {
      kind: "aggregation",
      operator,
      operand,
      ...(args.length === 2 && args[0] ? { parameter: args[0] } : {}),
      grouping: {
        only: !modifier?.getChild("Without"),
        labels: this.#labels(modifier?.getChild("GroupingLabels")),
      },
    };
  }

  #binary(node: SyntaxNode, child: (node: SyntaxNode) => Expression): Binary {
    const parts = children(node);
    const [left, operator, ...rest] = parts;
    const right = rest.at(-1);
    if (!left || !operator || !right) throw errors.BadQuery("parse error in a binary expression");
    const clause = node.getChild("MatchingModifierClause");
    if (clause?.getChild("GroupLeft") || clause?.getChild("GroupRight"))
      throw errors.BadQuery("group_left and group_right are not supported by the simulated Prometheus");
    const matching: Grouping = clause
      ? { only: clause.getChild("On") !== null, labels: this.#labels(clause.getChild("GroupingLabels")) }
      : { only: false, labels: [] };
    return {
      kind: "binary",
      operator: this.#of(operator).toLowerCase(),
      left: child(left),
      right: child(right),
      bool: node.getChild("BoolModifier") !== null,
      matching,
    };
  }

  #selector(node: SyntaxNode): Selector {
    if (node.name === "OffsetExpr") {
      const [inner, , duration] = children(node);
      const minus = this.#text.slice(required(node.getChild("Offset")).to, duration?.from).includes("-");
      const offset = parseDurationMs(this.#of(required(duration ?? null)));
      const selector = this.#selector(required(inner ?? null));
      return { ...selector, offsetMs: selector.offsetMs + (minus ? -offset : offset) };
    }
    if (node.name === "MatrixSelector") {
      const [inner, duration] = children(node);
      return {
        ...this.#selector(required(inner ?? null)),
        rangeMs: parseDurationMs(this.#of(required(duration ?? null))),
      };
    }
    if (node.name !== "VectorSelector")
      throw errors.BadQuery(`${node.name} is not supported by the simulated Prometheus`);
    const name = node.getChild("Identifier");
    const matchers = children(node.getChild("LabelMatchers")).map((each) => this.#matcher(each));
    if (name) matchers.push(equalTo("__name__", this.#of(name)));
    if (matchers.every((matcher) => matcher.matches("")))
      throw errors.BadQuery("vector selector must contain at least one non-empty matcher");
    return { matchers, offsetMs: 0 };
  }

  #matcher(node: SyntaxNode): Matcher {
    const [label, operator, value] = children(node);
    if (node.name !== "UnquotedLabelMatcher" || !label || !operator || !value)
      throw errors.BadQuery(`${node.name} is not supported by the simulated Prometheus`);
    const text = unquoted(this.#of(value));
    const symbol = this.#of(operator);
    const negative = symbol.startsWith("!");
    const matches = symbol.endsWith("~") ? fullMatch(text) : (given: string) => given === text;
    return {
      label: this.#of(label),
      negative,
      matches: (given) => matches(given) !== negative,
    };
  }

  #labels(node: SyntaxNode | null | undefined): readonly string[] {
    return children(node ?? null).map((each) => this.#of(each));
  }

  #of({ from, to }: SyntaxNode): string {
    return this.#text.slice(from, to);
  }
}

function equalTo(label: string, value: string): Matcher {
  return { label, negative: false, matches: (given) => given === value };
}

/** Returns a matcher for an RE2 pattern. The pattern must match the complete value. */
function fullMatch(pattern: string): (value: string) => boolean {
  try {
    const compiled = RE2JS.compile(pattern);
    return (value) => compiled.matches(value);
  } catch {
    throw errors.BadQuery(`${JSON.stringify(pattern.slice(0, 200))} is not a regular expression`);
  }
}

const units = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000, y: 31_536_000_000 };

/** Parses a duration such as `1h30m`, or a number of seconds, to milliseconds. @throws BadQuery */
export function parseDurationMs(text: string): number {
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1_000;
  if (!/^(\d+(ms|[smhdwy]))+$/.test(text)) throw errors.BadQuery(`${JSON.stringify(text)} is not a duration`);
  return [...text.matchAll(/(\d+)(ms|[smhdwy])/g)].reduce(
    (sum, [, amount, unit]) =>
      sum + Number(amount) * (Object.entries(units).find(([name]) => name === unit)?.[1] ?? 0),
    0,
  );
}

function parseNumber(text: string): number {
  if (/^[+-]?inf$/i.test(text)) return text.startsWith("-") ? -Infinity : Infinity;
  if (/^nan$/i.test(text)) return Number.NaN;
  const value = Number(text.replaceAll("_", ""));
  return Number.isNaN(value) ? parseDurationMs(text) / 1_000 : value;
}

const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r" };

function unquoted(text: string): string {
  const inner = text.slice(1, -1);
  return text.startsWith("`") ? inner : inner.replace(/\\(.)/gs, (_, char: string) => escapes[char] ?? char);
}

function children(node: SyntaxNode | null): readonly SyntaxNode[] {
  const found: SyntaxNode[] = [];
  for (let child = node?.firstChild ?? null; child; child = child.nextSibling) found.push(child);
  return found;
}

function required(node: SyntaxNode | null): SyntaxNode {
  if (!node) throw errors.BadQuery("parse error: the expression is incomplete");
  return node;
}

/** Returns a position in the format of Prometheus, `row:column`. Clients mark this position in the query. */
function positionOf(text: string, from: number): string {
  const lines = text.slice(0, from).split("\n");
  return `${lines.length}:${(lines.at(-1) ?? "").length + 1}`;
}
