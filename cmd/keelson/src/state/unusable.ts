import { cliErrors } from "../output/cli-errors.ts";
import { isSystemError } from "../output/failure-text.ts";

/** Wraps operating system errors in StateUnusable with a remedy. Returns other errors unchanged. */
export function unusable(directory: string, error: unknown): unknown {
  if (!isSystemError(error)) return error;
  return cliErrors.StateUnusable(
    `the state directory ${directory} cannot be used (${error.message}): see that it can be written and has room, ` +
      "or choose another with --state DIR",
    { cause: error },
  );
}
