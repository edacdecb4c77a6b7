import { scalarStringAt } from "@keelson/apimachinery";
import { listAt, messageOf } from "@keelson/base";
import { type CostBudget, celTypes, type Type } from "@keelson/cel";
import { type Bindings, type Expression, ExpressionFailure, expressionOf } from "./expression.ts";

export interface MatchCondition {
  readonly name: string;
  readonly expression: string;
}

/**
 * Reaction to a webhook or policy that cannot be evaluated. `Fail` rejects the request. `Ignore` continues the request without
 * the webhook or policy.
 */
export type FailurePolicy = "Fail" | "Ignore";

/** Match conditions of a webhook or policy. The webhook or policy applies only if all conditions are true. */
export interface Conditions {
  readonly expressions: readonly Expression[];
  readonly failurePolicy: FailurePolicy;
}

export function conditionsOf(
  conditions: readonly MatchCondition[],
  failurePolicy: FailurePolicy,
  variables: Readonly<Record<string, Type>> = {},
): Conditions {
  const expressions = conditions.map(({ expression }) =>
    expressionOf(expression, { variables, resultType: celTypes.bool }),
  );
  return { expressions, failurePolicy };
}

/**
 * True if all conditions are true. If a condition is false, the result is false, even if the evaluation of other conditions threw
 * an error. If no condition is false, the failure policy decides about errors.
 * @throws ExpressionFailure
 */
export function allHold(
  { expressions, failurePolicy }: Conditions,
  bindings: Bindings,
  budget: CostBudget,
): boolean {
  const errors: string[] = [];
  for (const expression of expressions) {
    try {
      if (expression.evaluate(bindings, budget) !== true) return false;
    } catch (error) {
      errors.push(messageOf(error));
    }
  }
  if (errors.length === 0) return true;
  if (failurePolicy === "Ignore") return false;
  throw new ExpressionFailure(errors.length === 1 ? (errors[0] ?? "") : `[${errors.join(", ")}]`);
}

export function failurePolicyOf(value: unknown): FailurePolicy {
  return scalarStringAt(value, "failurePolicy") === "Ignore" ? "Ignore" : "Fail";
}

export function matchConditionsOf(value: unknown): readonly MatchCondition[] {
  return listAt(value, "matchConditions").map((each) => ({
    name: scalarStringAt(each, "name"),
    expression: scalarStringAt(each, "expression"),
  }));
}
