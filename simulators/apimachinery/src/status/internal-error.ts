import { StatusError } from "./status-error.ts";

/** 500 with the reason as its only cause, as failures of admission have it. */
export function internalError(why: string, cause?: unknown): StatusError {
  const details = { causes: [{ reason: "", message: why }] };
  return new StatusError(500, "InternalError", `Internal error occurred: ${why}`, details, { cause });
}
