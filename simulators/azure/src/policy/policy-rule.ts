import type { JsonObject, JsonValue } from "@keelson/base";
import { badRequest } from "../arm/arm-error.ts";
import { isJsonObject, members, nonEmptyStringAt } from "../base/json.ts";
import { evaluateJson } from "../deployments/evaluation/evaluate-json.ts";
import { textOf } from "../deployments/functions/text.ts";
import type { Context } from "../deployments/language/context.ts";
import { findOperator } from "./operators.ts";
import { fieldValues, type PolicyTarget } from "./policy-target.ts";

/** Result of the `if` condition of a rule. Contains all evaluated conditions, which appear in the details of errors. */
export interface Verdict {
  readonly holds: boolean;
  readonly expressions: readonly JsonObject[];
}

/** Evaluates a condition. @throws ExpressionError for a parameter without a value */
export function judge(condition: JsonValue | undefined, target: PolicyTarget, context: Context): Verdict {
  const rule = members(condition);
  context.budget.spend(1);
  if (Array.isArray(rule.allOf)) {
    const verdicts = rule.allOf.map((each: JsonValue) => judge(each, target, context));
    return {
      holds: verdicts.every(({ holds }) => holds),
      expressions: verdicts.flatMap((each) => each.expressions),
    };
  }
  if (Array.isArray(rule.anyOf)) {
    const verdicts = rule.anyOf.map((each: JsonValue) => judge(each, target, context));
    return {
      holds: verdicts.some(({ holds }) => holds),
      expressions: verdicts.flatMap((each) => each.expressions),
    };
  }
  if (rule.not !== undefined) {
    const { holds, expressions } = judge(rule.not, target, context);
    return { holds: !holds, expressions };
  }
  return judgeOne(rule, target, context);
}

function judgeOne(rule: JsonObject, target: PolicyTarget, context: Context): Verdict {
  const [operator = "", wantedText = null] = conditionIn(rule) ?? [];
  const wanted = evaluateJson(wantedText, context);
  const expression = nonEmptyStringAt(rule, "field") ?? JSON.stringify(rule.value ?? null);
  const field =
    rule.field === undefined ? undefined : textOf(evaluateJson(rule.field, context), context.budget);
  const values =
    field === undefined ? [evaluateJson(rule.value ?? null, context)] : fieldValues(target, field);
  const test = findOperator(operator);
  const holds = values.every((each) => test?.(each, wanted, context.budget) ?? false);
  const [shown] = values;
  return {
    holds,
    expressions: [
      {
        result: holds ? "True" : "False",
        expressionKind: field === undefined ? "Value" : "Field",
        expression,
        path: field ?? "",
        expressionValue: shown ?? null,
        targetValue: wanted,
        operator: operator.charAt(0).toUpperCase() + operator.slice(1),
      },
    ],
  };
}

/** Returns the operator and the operand of a condition. */
function conditionIn(rule: JsonObject): readonly [string, JsonValue] | undefined {
  for (const [name, value] of Object.entries(rule)) {
    if (name !== "field" && name !== "value" && value !== undefined && findOperator(name))
      return [name, value];
  }
  return undefined;
}

/** Validates a policy rule. @throws ArmError 400 for a rule that cannot be evaluated */
export function checkRule(rule: JsonValue | undefined): void {
  const { if: condition, then } = members(rule);
  if (!isJsonObject(condition)) throw invalid("it has no 'if'");
  if (!nonEmptyStringAt(then, "effect")) throw invalid("its 'then' has no 'effect'");
  checkCondition(condition, 0);
}

function checkCondition(condition: JsonValue, depth: number): void {
  if (!isJsonObject(condition) || depth > 32)
    throw invalid("a condition is not an object, or is nested too deeply");
  for (const name of ["allOf", "anyOf"]) {
    const inner = condition[name];
    if (inner === undefined) continue;
    if (!Array.isArray(inner) || inner.length === 0) throw invalid(`'${name}' needs conditions`);
    for (const each of inner) checkCondition(each, depth + 1);
    return;
  }
  if (condition.not !== undefined) {
    checkCondition(condition.not, depth + 1);
    return;
  }
  if (condition.field === undefined && condition.value === undefined) {
    throw invalid("a condition needs 'field' or 'value'; 'count' is not simulated");
  }
  if (!conditionIn(condition)) throw invalid(`'${JSON.stringify(condition)}' has no known operator`);
}

function invalid(why: string) {
  return badRequest("InvalidPolicyRule", `Failed to parse policy rule: ${why}.`);
}
