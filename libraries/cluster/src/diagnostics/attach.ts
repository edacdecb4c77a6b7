import { CloudError, type CloudErrorBody } from "@keelson/arm";

/** Whether a look at the cluster can tell more. What a customer has to repair before there is one is said already. */
export function needsDiagnosis(error: unknown): boolean {
  return isUnexplained(error) || (error instanceof CloudError && error.body.code === "DeploymentFailed");
}

/**
 * The error with what was found out about it; an error that customers would not see gets the usual words. Where Azure
 * itself has said why it refused something, that stands alone.
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
