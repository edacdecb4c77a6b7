import { CloudError, type CloudErrorBody } from "@keelson/arm";

/**
 * True if the state of the cluster may explain the error. Validation errors need no diagnostics, because the cluster does not
 * exist yet when they occur.
 */
export function needsDiagnosis(error: unknown): boolean {
  return isUnexplained(error) || (error instanceof CloudError && error.body.code === "DeploymentFailed");
}

/**
 * Adds the findings to the details of an error that has no explanation for customers. An error that is not a CloudError first
 * becomes an internal error with the standard message. An error that already explains why Azure refused a request is returned
 * unchanged.
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
    target: target || undefined,
    ...(error.cause === undefined ? {} : { cause: error.cause }),
  });
}

function isUnexplained(error: unknown): boolean {
  return !(error instanceof CloudError) || error.status >= 500;
}
