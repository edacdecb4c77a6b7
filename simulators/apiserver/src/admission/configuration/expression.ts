import {
  type CostBudget,
  celTypes,
  compileExpression,
  errorValue,
  type ObjectValue,
  type Result,
  type Type,
  type Value,
} from "@keelson/cel";
import { authorizerLibrary, authorizerType } from "./authorizer-library.ts";
import { requestType } from "./variable-types.ts";

/** Variable values of an expression by name. */
export type Bindings = Readonly<Record<string, Result>>;

/** Compiled expression of a policy or match condition. If the compilation failed, each evaluation fails. */
export interface Expression {
  readonly source: string;
  readonly resultType: Type;
  /** Compilation error. */
  readonly invalid: string | undefined;
  /** @throws ExpressionFailure */
  evaluate(bindings: Bindings, budget: CostBudget): Value;
}

export class ExpressionFailure extends Error {
  constructor(message: string) {
    super(message);
    this.name = "ExpressionFailure";
  }
}

/** Variables of all admission expressions. */
const requestVariables: Readonly<Record<string, Type>> = {
  object: celTypes.dyn,
  oldObject: celTypes.dyn,
  request: requestType,
  authorizer: authorizerType,
};

export interface ExpressionOptions {
  /** Additional variables of the expression, for example `params`. */
  readonly variables?: Readonly<Record<string, Type>>;
  readonly resultType?: Type;
}

export function expressionOf(source: string, options: ExpressionOptions = {}): Expression {
  const { resultType = celTypes.dyn } = options;
  const compilation = compileExpression(source, {
    variables: { ...requestVariables, ...options.variables },
    libraries: [authorizerLibrary],
    resultType,
  });
  if (compilation.kind === "invalid") {
    const { message } = compilation;
    const evaluate = (): never => {
      throw new ExpressionFailure(`compilation error: ${message}`);
    };
    return { source, resultType, invalid: message, evaluate };
  }
  const { program } = compilation;
  return {
    source,
    resultType: program.resultType,
    invalid: undefined,
    evaluate(bindings, budget) {
      const outcome = program.evaluate(bindings, budget);
      switch (outcome.kind) {
        case "value":
          return outcome.value;
        case "error":
          throw new ExpressionFailure(`expression '${source}' resulted in error: ${outcome.message}`);
        case "cost-exceeded":
          throw new ExpressionFailure(
            outcome.of === "budget"
              ? "validation failed due to running out of cost budget, no further validation rules will be run"
              : `expression '${source}' resulted in error: operation cancelled: actual cost limit exceeded`,
          );
      }
    },
  };
}

/** Object with lazily evaluated fields. Each field is evaluated at most once. */
export function lazyObject(typeName: string, fields: Readonly<Record<string, () => Value>>): ObjectValue {
  const known = new Map<string, Result>();
  return {
    kind: "object",
    typeName,
    get(name) {
      const make = Object.hasOwn(fields, name) ? fields[name] : undefined;
      if (!make) return undefined;
      const found = known.get(name);
      if (found !== undefined) return found;
      const made = attempt(make);
      known.set(name, made);
      return made;
    },
    fields: () => Object.keys(fields),
  };
}

function attempt(make: () => Value): Result {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof ExpressionFailure)) throw error;
    return errorValue(error.message);
  }
}
