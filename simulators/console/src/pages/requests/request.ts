/** Error of a request to the console. */
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
  /** CSRF token from `/api/info`. Required for every method except GET. */
  readonly csrf?: string;
  readonly signal?: AbortSignal;
}

/** Sends a request. Returns the parsed body. Undefined for an empty body. @throws RequestFailed for every status except 2xx */
export async function send(path: string, options: RequestOptions = {}): Promise<unknown> {
  const { method = "GET", body, csrf, signal } = options;
  const response = await fetch(path, {
    method,
    redirect: "error",
    headers: {
      accept: "application/json",
      ...(csrf === undefined ? {} : { "x-csrf-token": csrf }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal ? { signal } : {}),
  });
  const text = await response.text();
  if (response.ok) return text === "" ? undefined : JSON.parse(text);
  throw failureOf(response.status, text);
}

/** Converts an error response of the console. */
function failureOf(status: number, text: string): RequestFailed {
  try {
    const { error } = JSON.parse(text);
    if (typeof error.code === "string" && typeof error.message === "string")
      return new RequestFailed(status, error.code, error.message);
  } catch {
    // The response is truncated or does not come from the console.
  }
  return new RequestFailed(status, "Unknown", `The console returned status ${status}.`);
}
