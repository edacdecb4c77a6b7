import { CloudError, type CloudErrorBody } from "@keelson/arm";

/**
 * Whether the cluster's state can explain more. Errors of validation, before there is a cluster, explain themselves.
 */
export function needsDiagnosis(error: unknown): boolean {
  return isUnexplained(error) || (error instanceof CloudError && error.body.code === "DeploymentFailed");
}

/**
 * The error with the findings as details; an internal error gets the usual message. An error in which Azure explains
 * its refusal stays as it is.
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
