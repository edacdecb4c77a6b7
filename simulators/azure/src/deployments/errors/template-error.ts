import { ArmError } from "../../arm/arm-error.ts";

/** Returns the error for an invalid template in ARM's format. */
export function invalidTemplate(reason: string): ArmError {
  return new ArmError(400, "InvalidTemplate", `Deployment template validation failed: '${reason}'.`);
}

/**
 * Error of an expression that cannot be parsed or evaluated. The caller adds the expression's location and converts the error to
 * an `InvalidTemplate` error.
 */
export class ExpressionError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "ExpressionError";
  }
}

/**
 * Calls `run`. If `run` throws an expression error, adds the location of the expression to the error. `what` is `resource`,
 * `output` or `parameter`.
 * @throws ArmError 400 InvalidTemplate
 */
export function naming<Value>(what: string, name: string, run: () => Value): Value {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    throw invalidTemplate(`The template ${what} '${name}' is not valid: ${error.message}`);
  }
}
