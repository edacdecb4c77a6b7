import type { JsonValue } from "@keelson/base";
import { isJsonObject } from "../../base/json.ts";
import { ExpressionError } from "../errors/template-error.ts";
import { evaluate } from "../evaluation/evaluate.ts";
import type { Context } from "../language/context.ts";
import type { Expression } from "../language/syntax.ts";
import type { TemplateBudget } from "../language/template-budget.ts";
import { isInner } from "./nested.ts";
import { bodyOf, isDeployment, type PlannedResource } from "./planned-resource.ts";

/**
 * Returns the names and IDs that a resource's expressions pass to `reference` and `list*`. Omits arguments that cannot be
 * evaluated yet, because they depend on inner loops or on the running deployment.
 */
export function referencedBy(resource: PlannedResource): readonly string[] {
  const body = bodyOf(resource);
  const own =
    isDeployment(resource) && isInner(resource.definition)
      ? {
          ...body,
          properties: isJsonObject(body.properties) ? { parameters: body.properties.parameters } : {},
        }
      : body;
  const { context } = resource;
  return [...new Set(expressionsIn(own, context.budget).flatMap((each) => calledWith(each, context)))];
}

/** Returns all expressions in `value`. @throws ExpressionError for an invalid expression */
function expressionsIn(value: JsonValue | undefined, budget: TemplateBudget): readonly Expression[] {
  budget.spend(1);
  if (typeof value === "string") {
    const text = budget.parse(value);
    return "expression" in text ? [text.expression] : [];
  }
  if (Array.isArray(value)) return value.flatMap((each: JsonValue) => expressionsIn(each, budget));
  if (!isJsonObject(value)) return [];
  return Object.values(value).flatMap((each) => expressionsIn(each, budget));
}

function calledWith(expression: Expression, context: Context): readonly string[] {
  context.budget.spend(1);
  switch (expression.kind) {
    case "literal":
      return [];
    case "member":
      return calledWith(expression.of, context);
    case "index":
      return [...calledWith(expression.of, context), ...calledWith(expression.at, context)];
    case "call": {
      const inner = expression.args.flatMap((each) => calledWith(each, context));
      const [first] = expression.args;
      if (!first || !/^(references?|list[a-z]+)$/i.test(expression.name)) return inner;
      const target = tryEvaluate(first, context);
      return typeof target === "string" ? [...inner, target] : inner;
    }
  }
}

function tryEvaluate(expression: Expression, context: Context): JsonValue | undefined {
  try {
    return evaluate(expression, context);
  } catch (error) {
    if (error instanceof ExpressionError) return undefined;
    throw error;
  }
}
