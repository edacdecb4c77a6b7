import { type ArmError, badRequest } from "../arm/arm-error.ts";

/** A parameter of a request about an account that is missing or has a value it cannot have. */
export function invalidParameter(name: string, value: string | undefined): ArmError {
  const shown = value === undefined ? "" : ` '${value}'`;
  return badRequest(
    "InvalidValuesForRequestParameters",
    `Values for request parameters are invalid: ${name}${shown}.`,
  );
}
