import { ArmError } from "../../arm/arm-error.ts";

/** Error of a template itself, in ARM's wording. */
export function invalidTemplate(reason: string): ArmError {
  return new ArmError(400, "InvalidTemplate", `Deployment template validation failed: '${reason}'.`);
}

/**
 * Expression that cannot be parsed or evaluated. The caller knows its location and converts it to an
 * `InvalidTemplate`.
 */
export class ExpressionError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "ExpressionError";
  }
}

/**
 * Adds the location of an expression to its error: `resource`, `output` or `parameter`, and its name.
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
