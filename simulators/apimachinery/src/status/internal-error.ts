import { StatusError } from "./status-error.ts";

/** Returns an error 500. Its single cause contains the message `why`, as in kube-apiserver's admission failures. */
export function internalError(why: string, cause?: unknown): StatusError {
  const details = { causes: [{ reason: "", message: why }] };
  return new StatusError(500, "InternalError", `Internal error occurred: ${why}`, details, { cause });
}
