import { type ArmError, badRequest } from "../arm/arm-error.ts";

/** Returns the error for a missing or invalid parameter in a request about an account. */
export function invalidParameter(name: string, value: string | undefined): ArmError {
  const shown = value === undefined ? "" : ` '${value}'`;
  return badRequest(
    "InvalidValuesForRequestParameters",
    `Values for request parameters are invalid: ${name}${shown}.`,
  );
}
