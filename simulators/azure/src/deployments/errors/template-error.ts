import { ArmError } from "../../arm/arm-error.ts";

/** What is wrong with a template itself, as ARM words it. */
export function invalidTemplate(reason: string): ArmError {
  return new ArmError(400, "InvalidTemplate", `Deployment template validation failed: '${reason}'.`);
}

/** An expression that cannot be read or evaluated; the caller, which knows the place, makes it an `InvalidTemplate`. */
export class ExpressionError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "ExpressionError";
  }
}

/**
 * Says where in the template an expression cannot be evaluated: `resource`, `output` or `parameter`, and its name.
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
