import type { JsonValue } from "@keelson/base";
import { isJsonObject } from "../../base/json.ts";
import { ExpressionError } from "../errors/template-error.ts";
import { entriesOf } from "../language/members.ts";
import type { Expression } from "../language/syntax.ts";
import type { TemplateBudget } from "../language/template-budget.ts";
import { describeType } from "./signature.ts";

/** Lambda variables in scope, by lower-case name. */
export type Locals = ReadonlyMap<string, JsonValue>;

type Evaluate = (expression: Expression, locals: Locals) => JsonValue;
type Lambda = (...args: readonly JsonValue[]) => JsonValue;

const names = new Set(["map", "filter", "reduce", "sort", "toobject", "mapvalues", "groupby"]);

export function isLambdaFunction(name: string): boolean {
  return names.has(name);
}

/** Evaluates a function with lambda arguments. @throws ExpressionError */
export function evaluateLambdaCall(
  name: string,
  args: readonly Expression[],
  locals: Locals,
  evaluate: Evaluate,
  budget: TemplateBudget,
): JsonValue {
  const [first, ...rest] = args;
  const subject = first ? evaluate(first, locals) : null;
  const lambda = (at: number): Lambda => lambdaOf(name, rest[at], locals, evaluate, budget);
  if (name === "mapvalues") {
    if (!isJsonObject(subject)) throw wrongSubject(name, "an object");
    const change = lambda(0);
    return Object.fromEntries(entriesOf(subject, budget).map(([key, each]) => [key, change(each)] as const));
  }
  if (!Array.isArray(subject)) throw wrongSubject(name, "an array");
  const items: readonly JsonValue[] = subject;
  budget.spend(items.length);
  const key = (each: JsonValue): string => keyFrom(name, lambda(0)(each));
  switch (name) {
    case "map":
      return items.map((each, index) => lambda(0)(each, index));
    case "filter":
      return items.filter((each, index) => lambda(0)(each, index) === true);
    case "sort":
      return items.toSorted((a, b) => (lambda(0)(a, b) === true ? -1 : lambda(0)(b, a) === true ? 1 : 0));
    case "reduce": {
      const [start] = rest;
      const combine = lambda(1);
      return items.reduce<JsonValue>(
        (sum, each, index) => combine(sum, each, index),
        start ? evaluate(start, locals) : null,
      );
    }
    case "toobject": {
      const memberOf: Lambda = rest.length > 1 ? lambda(1) : (each) => each ?? null;
      return Object.fromEntries(items.map((each) => [key(each), memberOf(each)]));
    }
    default:
      return Object.fromEntries(Map.groupBy(items, key));
  }
}

/** Converts an object key to a string. @throws ExpressionError for an invalid key */
function keyFrom(name: string, key: JsonValue): string {
  if (typeof key === "string") return key;
  if (typeof key === "number") return String(key);
  throw new ExpressionError(
    `The template language function '${name}' expects keys of type 'String'. The provided value is of type '${describeType(key)}'`,
  );
}

/** Returns a JavaScript function for a lambda expression. The lambda may declare fewer parameters than the call has arguments. */
function lambdaOf(
  name: string,
  expression: Expression | undefined,
  locals: Locals,
  evaluate: Evaluate,
  budget: TemplateBudget,
): Lambda {
  if (expression?.kind !== "call" || expression.name.toLowerCase() !== "lambda") {
    throw new ExpressionError(`The template language function '${name}' expects a lambda`);
  }
  const parameters = expression.args
    .slice(0, -1)
    .map((each) => keyFrom(name, evaluate(each, locals)).toLowerCase());
  const body = expression.args.at(-1);
  if (!body) throw new ExpressionError(`The lambda of '${name}' has no body`);
  return (...args) => {
    budget.spend(locals.size + parameters.length);
    const own = parameters.map((each, at) => [each, args[at] ?? null] as const);
    return evaluate(body, new Map([...locals, ...own]));
  };
}

function wrongSubject(name: string, wanted: string): ExpressionError {
  return new ExpressionError(
    `The template language function '${name}' expects ${wanted} as its first parameter`,
  );
}
