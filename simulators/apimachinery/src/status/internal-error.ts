import { StatusError } from "./status-error.ts";

/** Error 500 with the reason as its only cause, as in admission failures. */
export function internalError(why: string, cause?: unknown): StatusError {
  const details = { causes: [{ reason: "", message: why }] };
  return new StatusError(500, "InternalError", `Internal error occurred: ${why}`, details, { cause });
}
