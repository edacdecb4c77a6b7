import type { JsonValue } from "@keelson/base";
import { ExpressionError } from "../errors/template-error.ts";
import { findFunction } from "../functions/catalogue.ts";
import { evaluateLambdaCall, isLambdaFunction, type Locals } from "../functions/lambdas.ts";
import { describeType } from "../functions/signature.ts";
import type { Context } from "../language/context.ts";
import { memberOf } from "../language/members.ts";
import { printExpression } from "../language/print.ts";
import type { Expression } from "../language/syntax.ts";

/** Maximum number of property names that an error message lists. */
const maxKeysShown = 100;

/** Evaluates an expression. @throws ExpressionError, and errors of the context's functions */
export function evaluate(expression: Expression, context: Context, locals: Locals = new Map()): JsonValue {
  context.budget.enter();
  try {
    return valueIn(expression, context, locals);
  } finally {
    context.budget.leave();
  }
}

function valueIn(expression: Expression, context: Context, locals: Locals): JsonValue {
  switch (expression.kind) {
    case "literal":
      return expression.value;
    case "member":
      return member(expression.of, expression.name, expression.safe, context, locals);
    case "index":
      return member(
        expression.of,
        evaluate(expression.at, context, locals),
        expression.safe,
        context,
        locals,
      );
    case "call":
      return call(expression.name, expression.args, context, locals);
  }
}

function member(of: Expression, name: JsonValue, safe: boolean, context: Context, locals: Locals): JsonValue {
  const holder = evaluate(of, context, locals);
  const found = memberOf(holder, name, context.budget);
  if (found !== undefined) return found;
  if (safe) return null;
  const known =
    typeof holder === "object" && holder !== null && !Array.isArray(holder)
      ? `Available properties are '${Object.keys(holder).slice(0, maxKeysShown).join(", ")}'`
      : `it is a value of type '${describeType(holder)}'`;
  throw new ExpressionError(
    `The language expression property '${typeof name === "string" ? name : JSON.stringify(name)}' doesn't exist in '${printExpression(of)}'. ${known}`,
  );
}

function call(name: string, args: readonly Expression[], context: Context, locals: Locals): JsonValue {
  const lower = name.toLowerCase();
  const value = (at: number): JsonValue => {
    const expression = args[at];
    if (!expression) throw new ExpressionError(`The template function '${name}' has too few arguments`);
    return evaluate(expression, context, locals);
  };
  switch (lower) {
    case "if":
      return value(asBool(name, value(0)) ? 1 : 2);
    case "and":
      return args.every((_, at) => asBool(name, value(at)));
    case "or":
      return args.some((_, at) => asBool(name, value(at)));
    case "coalesce":
      return firstValue(args, value);
    case "lambdavariables":
      return localValue(value(0), locals);
  }
  if (isLambdaFunction(lower)) {
    const inLambda = (each: Expression, inner: Locals) => evaluate(each, context, inner);
    return evaluateLambdaCall(lower, args, locals, inLambda, context.budget);
  }
  const values = args.map((_, at) => value(at));
  context.budget.spendShallow(values);
  const custom = name.includes(".") ? context.userFunction(name, values) : undefined;
  if (custom !== undefined) return custom;
  const found = findFunction(lower);
  if (!found) {
    throw new ExpressionError(`The template function '${name}' is not valid`);
  }
  if (values.length < found.least || values.length > found.most) {
    throw new ExpressionError(
      `Unable to evaluate template language function '${name}': function requires ${found.least === found.most ? `'${found.least}'` : `at least '${found.least}'`} argument(s) while '${values.length}' were provided`,
    );
  }
  return found.run(values, context, name);
}

function firstValue(args: readonly Expression[], value: (at: number) => JsonValue): JsonValue {
  for (const [at] of args.entries()) {
    const each = value(at);
    if (each !== null) return each;
  }
  return null;
}

function localValue(name: JsonValue, locals: Locals): JsonValue {
  const found = typeof name === "string" ? locals.get(name.toLowerCase()) : undefined;
  if (found !== undefined) return found;
  throw new ExpressionError(
    `The lambda variable '${typeof name === "string" ? name : describeType(name)}' is not defined`,
  );
}

function asBool(name: string, value: JsonValue): boolean {
  if (typeof value === "boolean") return value;
  throw new ExpressionError(
    `The template language function '${name}' expects its condition to be of type 'Boolean'. The provided value is of type '${describeType(value)}'`,
  );
}
