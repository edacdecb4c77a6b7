import type { JsonObject } from "@keelson/base";

/** Error in the format of Microsoft Graph. */
export class GraphError extends Error {
  readonly status: number;
  readonly code: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, code: string, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.name = "GraphError";
    this.status = status;
    this.code = code;
    this.headers = headers;
  }

  body(requestId: string, date: string): JsonObject {
    const innerError = { date, "request-id": requestId, "client-request-id": requestId };
    return { error: { code: this.code, message: this.message, innerError } };
  }
}

export function badRequest(message: string): GraphError {
  return new GraphError(400, "Request_BadRequest", message);
}

export function notFound(id: string): GraphError {
  return new GraphError(
    404,
    "Request_ResourceNotFound",
    `Resource '${id}' does not exist or one of its queried reference-property objects are not present.`,
  );
}
