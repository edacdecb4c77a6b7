import { stringAt } from "@keelson/base";
import { portalErrors } from "../errors/portal-errors.ts";
import type { AdminResponse } from "./admin-api.ts";

/**
 * Returns the JSON value of an admin API response.
 * @throws the error in the response; ClusterResponseInvalid, ClusterResponseTooLarge
 */
export function adminValueOf(response: AdminResponse): unknown {
  checkSuccess(response);
  if (response.isTruncated)
    throw portalErrors.ClusterResponseTooLarge("The response of the admin API is longer than 5 MiB.");
  return parsed(response);
}

/**
 * Rejects an error response of the admin API. The new error has the same status and message.
 * @throws BadRequest, Forbidden, NotFound, Conflict, TooManyRequests, AdminApiFailed
 */
export function checkSuccess(response: AdminResponse): void {
  const { status } = response;
  if (status < 400) return;
  const message =
    stringAt(errorBodyOf(response), "error", "message") ?? `The admin API responded with ${status}.`;
  throw (errors[status] ?? portalErrors.AdminApiFailed)(message);
}

const errors: Readonly<Record<number, (message: string) => Error>> = {
  400: portalErrors.BadRequest,
  403: portalErrors.Forbidden,
  404: portalErrors.NotFound,
  409: portalErrors.Conflict,
  429: portalErrors.TooManyRequests,
};

function errorBodyOf(response: AdminResponse): unknown {
  try {
    return parsed(response);
  } catch {
    return undefined;
  }
}

function parsed({ bytes }: AdminResponse): unknown {
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch (cause) {
    throw portalErrors.ClusterResponseInvalid("The response of the admin API is not JSON.", { cause });
  }
}
