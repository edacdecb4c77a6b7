import { isPlainObject, messageOf } from "@keelson/base";

/** The HTTP status behind an error of an SDK; `undefined` when no answer came. */
export function statusOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("statusCode" in error)) return undefined;
  const status = Number(error.statusCode);
  return Number.isInteger(status) ? status : undefined;
}

export function isNotFound(error: unknown): boolean {
  return statusOf(error) === 404;
}

/** True when an `If-Match` or `If-None-Match` condition did not hold. */
export function isPreconditionFailed(error: unknown): boolean {
  return statusOf(error) === 412;
}

/**
 * The code of an ARM error (`ResourceGroupNotFound`), of a failed long-running operation, or of the network
 * (`ECONNREFUSED`); `undefined` when the error carries none.
 */
export function azureErrorCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const body = errorBody(error);
  if (typeof body?.code === "string") return body.code;
  const failed = failedOperation.exec(error.message);
  if (failed) return failed[1];
  return "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** What the service said; the whole message of an error that has no ARM body. */
export function azureErrorMessage(error: unknown): string {
  const body = error instanceof Error ? errorBody(error) : undefined;
  return typeof body?.message === "string" ? body.message : messageOf(error);
}

/** The number after `AADSTS` in an error of the identity provider. */
export function aadstsCode(error: unknown): number | undefined {
  const match = /AADSTS(\d+)/.exec(messageOf(error));
  return match ? Number(match[1]) : undefined;
}

/** How core-lro words a failed operation: its code and message are only in the text (poller/operation). */
const failedOperation = /^The long-running operation has failed\. ([A-Za-z]\w*)\. /;

/** `{code, message}` of `{"error":{...}}`, wherever the two generations of SDKs keep the parsed answer. */
function errorBody(error: Error): Record<string, unknown> | undefined {
  if (!("details" in error) || !isPlainObject(error.details)) return undefined;
  const { details } = error;
  return isPlainObject(details.error) ? details.error : details;
}
