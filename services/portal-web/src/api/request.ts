/** Error response of the portal. */
export class RequestFailed extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

export interface RequestOptions {
  readonly method?: "GET" | "POST" | "DELETE";
  readonly body?: unknown;
  /** Token of `/api/info`. Required for all methods except GET. */
  readonly csrf?: string;
  readonly signal?: AbortSignal;
}

/**
 * Sends a request to the portal.
 * @throws RequestFailed for every status except 2xx
 */
export async function send(path: string, options: RequestOptions = {}): Promise<Response> {
  const { method = "GET", body, csrf, signal } = options;
  const response = await fetch(path, {
    method,
    // A redirection goes to the sign-in, which only a document can follow.
    redirect: "manual",
    headers: {
      accept: "application/json",
      ...(csrf === undefined ? {} : { "x-csrf-token": csrf }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal ? { signal } : {}),
  });
  if (response.type === "opaqueredirect") throw new RequestFailed(401, "Unauthenticated", "Please sign in.");
  if (!response.ok) throw failureOf(response.status, await response.text());
  return response;
}

/** Reads JSON. The portal guarantees its schema. */
export async function readJson<T>(path: string, options: RequestOptions = {}): Promise<T> {
  return (await send(path, options)).json();
}

/** Returns the error in a response body, or an error for the status if the portal did not write the body. */
export function failureOf(status: number, body: string): RequestFailed {
  try {
    const { error, errorType } = JSON.parse(body);
    // Error of Prometheus. Its message has the position of a syntax error.
    if (typeof error === "string" && typeof errorType === "string")
      return new RequestFailed(status, errorType, error);
    if (typeof error.code === "string" && typeof error.message === "string")
      return new RequestFailed(status, error.code, error.message);
  } catch {
    // The response is not the portal's JSON, for example a proxy's page, or it is empty.
  }
  return new RequestFailed(status, String(status), `The portal returned status ${status}.`);
}
