import { StatusError } from "@keelson/apiserver";

/** True for a failure of the API server with this `reason`: `NotFound`, `AlreadyExists`, `Conflict` ... */
export function hasReason(error: unknown, reason: string): boolean {
  return error instanceof StatusError && error.reason === reason;
}
