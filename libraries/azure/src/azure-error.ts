import { isPlainObject, messageOf } from "@keelson/base";

/** Returns the HTTP status of an SDK error. Undefined if the service did not respond. */
export function statusOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("statusCode" in error)) return undefined;
  const status = Number(error.statusCode);
  return Number.isInteger(status) ? status : undefined;
}

export function isNotFound(error: unknown): boolean {
  return statusOf(error) === 404;
}

/** True if an `If-Match` or `If-None-Match` condition failed. */
export function isPreconditionFailed(error: unknown): boolean {
  return statusOf(error) === 412;
}

/**
 * Returns the error code of an ARM error (`ResourceGroupNotFound`), a failed long-running operation, or a network error
 * (`ECONNREFUSED`). Undefined for errors without a code.
 */
export function azureErrorCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const body = errorBody(error);
  if (typeof body?.code === "string") return body.code;
  const failed = failedOperation.exec(error.message);
  if (failed) return failed[1];
  return "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** Returns the error message of the service. For an error without an ARM body, returns the message of the error itself. */
export function azureErrorMessage(error: unknown): string {
  const body = error instanceof Error ? errorBody(error) : undefined;
  return typeof body?.message === "string" ? body.message : messageOf(error);
}

/** Returns the number after `AADSTS` in an error of the identity provider. */
export function aadstsCode(error: unknown): number | undefined {
  const match = /AADSTS(\d+)/.exec(messageOf(error));
  return match ? Number(match[1]) : undefined;
}

/**
 * Matches the error message that @azure/core-lro (poller/operation) creates for a failed operation. The message contains the
 * operation's code.
 */
const failedOperation = /^The long-running operation has failed\. ([A-Za-z]\w*)\. /;

/**
 * Returns `{code, message}` from `{"error":{...}}` in the parsed response. Supports the error classes of both SDK generations.
 */
function errorBody(error: Error): Record<string, unknown> | undefined {
  if (!("details" in error) || !isPlainObject(error.details)) return undefined;
  const { details } = error;
  return isPlainObject(details.error) ? details.error : details;
}
