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
  /** CSRF token from `/api/info`. Required for all methods except GET. */
  readonly csrf?: string | undefined;
  readonly signal?: AbortSignal;
}

/**
 * Sends a request to the portal.
 * @throws RequestFailed for every status other than 2xx
 */
export async function send(path: string, options: RequestOptions = {}): Promise<Response> {
  const { method = "GET", body, csrf, signal } = options;
  const response = await fetch(path, {
    method,
    // Redirects are not followed, because only a page, not a script, can open the sign-in page.
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

/** Reads a JSON response. The portal guarantees that it matches its schema. */
export async function readJson<T>(path: string, options: RequestOptions = {}): Promise<T> {
  return (await send(path, options)).json();
}

/** Returns the error in a response body. If the portal did not send the body, returns a general error for the status. */
export function failureOf(status: number, body: string): RequestFailed {
  try {
    const { error, errorType } = JSON.parse(body);
    // Errors of Prometheus are strings, and the message of a PromQL syntax error contains its position. The refusal of SSH is a
    // string without a code.
    if (typeof error === "string")
      return new RequestFailed(status, typeof errorType === "string" ? errorType : String(status), error);
    if (typeof error.code === "string" && typeof error.message === "string")
      return new RequestFailed(status, error.code, error.message);
  } catch {
    // The body is empty or is not JSON of the portal. For example, it may be the error page of a proxy.
  }
  return new RequestFailed(status, String(status), `The portal returned status ${status}.`);
}
