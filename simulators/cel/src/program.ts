import { checkExpression } from "./checking/checker.ts";
import { environmentOf } from "./checking/environment.ts";
import type { Code } from "./code.ts";
import { compileChecked } from "./compile.ts";
import { estimateCost } from "./cost/estimate.ts";
import type { Library } from "./functions/overload.ts";
import { describeError, ExpressionError } from "./syntax/ast.ts";
import { parseExpression } from "./syntax/parser.ts";
import { type CostBudget, CostExceeded, Meter } from "./values/meter.ts";
import { isAssignable, type Type, typeText } from "./values/type.ts";
import { isError, type Result, type Value } from "./values/value.ts";

export interface CompileOptions {
  /** Variables of the expression with their types. */
  readonly variables: Readonly<Record<string, Type>>;
  /** Additional functions and types besides Kubernetes' libraries. */
  readonly libraries?: readonly Library[];
  /** Type of all variables, with the maximum size of each value. Without a schema, costs are not estimated. */
  readonly schema?: Type;
  /** Required result type. If the checker cannot determine the result type, the evaluation checks the result. */
  readonly resultType?: Type;
}

export type Compilation =
  | { readonly kind: "program"; readonly program: Program }
  | { readonly kind: "invalid"; readonly message: string };

export interface Program {
  readonly source: string;
  readonly resultType: Type;
  /** Maximum evaluation cost, estimated from the sizes in the schema. */
  readonly estimatedCost: number | undefined;
  /** Evaluates the expression and deducts its cost from the budget. Never throws. */
  evaluate(bindings: Readonly<Record<string, Result>>, budget: CostBudget): Evaluation;
}

type Evaluation =
  | { readonly kind: "value"; readonly value: Value }
  | { readonly kind: "error"; readonly message: string }
  /** Exceeded limit. `budget` means the total limit of all expressions. `expression` means the limit of this expression. */
  | { readonly kind: "cost-exceeded"; readonly of: "expression" | "budget" };

/** Compiles a Common Expression Language expression with Kubernetes' libraries. */
export function compileExpression(source: string, options: CompileOptions): Compilation {
  try {
    const environment = environmentOf(options.variables, options.libraries ?? []);
    const checked = checkExpression(parseExpression(source), environment);
    const { result } = checked;
    const { resultType } = options;
    if (resultType && !isAssignable(result, resultType, new Map())) {
      return {
        kind: "invalid",
        message: `must evaluate to ${typeText(resultType)} but got ${typeText(result)}`,
      };
    }
    const run = compileChecked(checked);
    const { schema } = options;
    const estimatedCost = schema && estimateCost(checked, schema);
    return { kind: "program", program: programOf(source, result, estimatedCost, run) };
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return { kind: "invalid", message: `compilation failed: ${describeError(source, error)}` };
  }
}

function programOf(source: string, resultType: Type, estimatedCost: number | undefined, run: Code): Program {
  return {
    source,
    resultType,
    estimatedCost,
    evaluate: (bindings, budget) => {
      const limit = Math.max(0, Math.min(budget.perExpression, budget.remaining));
      const meter = new Meter(limit, budget.work);
      try {
        const result = run({ bindings, meter, locals: [] });
        return isError(result)
          ? { kind: "error", message: result.message }
          : { kind: "value", value: result };
      } catch (error) {
        if (error instanceof CostExceeded) {
          return { kind: "cost-exceeded", of: limit < budget.perExpression ? "budget" : error.of };
        }
        throw error;
      } finally {
        budget.take(meter.spent);
      }
    },
  };
}
