import { isPlainObject, messageOf } from "@keelson/base";
import { errors } from "../documents/errors.ts";

/**
 * Returns the HTTP status of a rejected request, or the error code of a failed request. Returns `undefined` if the error has
 * neither.
 */
export function statusOf(error: unknown): number | string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "number" || typeof error.code === "string" ? error.code : undefined;
}

/** Statuses that are caused by the request, and not by the service or the network. */
const requestStatuses: readonly (number | string | undefined)[] = [400, 404, 405, 409, 412];

/** Converts failures that are not caused by the request to `StoreUnavailable`. Returns other errors unchanged. */
export function translate(error: unknown, endpoint: string): unknown {
  const status = statusOf(error);
  if (status === 413) {
    return errors.InvalidWrite("Cosmos DB limits documents and commits to 2 MB: write less in one commit.");
  }
  if (requestStatuses.includes(status)) return error;
  // The error is not set as `cause`, because it contains the request with the document and the token.
  return errors.StoreUnavailable(`Cosmos DB at ${endpoint} is not available: ${reasonOf(error, status)}`);
}

function reasonOf(error: unknown, status: number | string | undefined): string {
  const body = error instanceof Error && "body" in error ? error.body : undefined;
  const message = isPlainObject(body) && typeof body.message === "string" ? body.message : messageOf(error);
  const firstLine = message.split(/\r?\n/)[0] ?? "";
  return status === undefined ? firstLine : `${status} ${firstLine}`;
}
