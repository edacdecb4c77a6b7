import { asCloudError, CloudError } from "@keelson/arm";
import { azureErrorCode, azureErrorMessage, statusOf } from "@keelson/azure";
import { messageOf } from "@keelson/base";
import { KubeError } from "@keelson/kube";

/**
 * Converts an error to an error for administrators, with the original message. Errors of a cluster and of Azure keep their status
 * and code. Source: Azure/ARO-RP pkg/frontend/adminreplies.go.
 */
export function actionError(error: unknown): CloudError {
  if (error instanceof CloudError) return error;
  if (error instanceof KubeError) return clusterError(error);
  const status = statusOf(error);
  const code = azureErrorCode(error);
  if (status !== undefined && status >= 400) {
    return passedOn(status, code, azureErrorMessage(error), error);
  }
  // A failed asynchronous operation of Azure has a code but no HTTP status.
  const reason = code !== undefined && /^[A-Z][a-z]/.test(code) ? code : undefined;
  return passedOn(500, reason, messageOf(error) || asCloudError(error).message, error);
}

function clusterError(error: KubeError): CloudError {
  if (error.code < 400) return passedOn(500, undefined, error.message, error);
  const { subject } = error;
  const kind = subject?.group ? `${subject.kind}.${subject.group}` : subject?.kind;
  return passedOn(error.code, error.reason, error.message, error, subject && `${kind}/${subject.name}`);
}

function passedOn(
  status: number,
  code: string | undefined,
  message: string,
  cause: unknown,
  target?: string,
): CloudError {
  return new CloudError("InternalServerError", message, {
    status,
    cause,
    foreignCode: code,
    target,
  });
}
