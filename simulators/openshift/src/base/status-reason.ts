import { StatusError } from "@keelson/apiserver";

/** True if an API server error has this `reason`, for example `NotFound`, `AlreadyExists` or `Conflict`. */
export function hasReason(error: unknown, reason: string): boolean {
  return error instanceof StatusError && error.reason === reason;
}
