import { type CodedError, defineErrors, isCoded } from "@keelson/base";

/** Errors of requests to the console. */
export const consoleErrors = defineErrors({
  BadRequest: { retry: "never" },
  Unauthenticated: { retry: "refresh" },
  Forbidden: { retry: "never" },
  NotFound: { retry: "never" },
  MethodNotAllowed: { retry: "never" },
  Conflict: { retry: "refresh" },
  RequestTooLarge: { retry: "never" },
  UnsupportedMediaType: { retry: "never" },
  /** A component of the simulation or the service failed or does not respond. */
  WorldFailed: { retry: "backoff" },
});

type Code = keyof typeof consoleErrors;

const statuses: Readonly<Record<Code, number>> = {
  BadRequest: 400,
  Unauthenticated: 401,
  Forbidden: 403,
  NotFound: 404,
  MethodNotAllowed: 405,
  Conflict: 409,
  RequestTooLarge: 413,
  UnsupportedMediaType: 415,
  WorldFailed: 502,
};

export interface Failure {
  readonly status: number;
  readonly code: string;
  readonly message: string;
}

/**
 * Returns the status, code and message for the browser. A coded error of a different package is a failure of the simulation
 * (502). All other errors are failures of the console (500).
 */
export function failureOf(error: unknown): Failure {
  if (isOwn(error)) return { status: statuses[error.code], code: error.code, message: error.message };
  if (isCoded(error)) return { status: 502, code: error.code, message: error.message };
  return { status: 500, code: "InternalServerError", message: "The console failed. See azure.log." };
}

function isOwn(error: unknown): error is CodedError<Code> {
  return isCoded(error) && Object.hasOwn(statuses, error.code);
}
