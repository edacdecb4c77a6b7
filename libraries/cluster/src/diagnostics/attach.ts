import { CloudError, type CloudErrorBody } from "@keelson/arm";

/**
 * True if the cluster's state may explain the error. Validation errors need no diagnostics, because they occur before the cluster
 * exists.
 */
export function needsDiagnosis(error: unknown): boolean {
  return isUnexplained(error) || (error instanceof CloudError && error.body.code === "DeploymentFailed");
}

/**
 * Adds the findings to the error's details. An internal error gets the standard message. If Azure refused a request and the error
 * already explains the refusal, the error stays unchanged.
 */
export function withDiagnostics(error: unknown, found: readonly CloudErrorBody[]): unknown {
  if (found.length === 0 || !isUnexplained(error)) return error;
  if (!(error instanceof CloudError))
    return new CloudError("InternalServerError", "Internal server error.", { details: found, cause: error });
  const { code, message, target, details = [] } = error.body;
  return new CloudError("InternalServerError", message, {
    status: error.status,
    foreignCode: code,
    details: [...details, ...found],
    ...(target ? { target } : {}),
    ...(error.cause === undefined ? {} : { cause: error.cause }),
  });
}

function isUnexplained(error: unknown): boolean {
  return !(error instanceof CloudError) || error.status >= 500;
}
