/** What the portal answers when it does not do what was asked for. */
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
  /** Of `/api/info`; for everything but GET. */
  readonly csrf?: string;
  readonly signal?: AbortSignal;
}

/** Sends a request to the portal. Throws `RequestFailed` for every status but 2xx. */
export async function send(path: string, options: RequestOptions = {}): Promise<Response> {
  const { method = "GET", body, csrf, signal } = options;
  const response = await fetch(path, {
    method,
    // A redirection leads to the sign-in, which only a document can follow.
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

/** Reads JSON, whose form the portal answers for. */
export async function readJson<T>(path: string, options: RequestOptions = {}): Promise<T> {
  return (await send(path, options)).json();
}

/** The error that an answer's body says; what the status says where it is none of the portal's. */
export function failureOf(status: number, body: string): RequestFailed {
  try {
    const { error, errorType } = JSON.parse(body);
    // Prometheus: its message has the position of a syntax error.
    if (typeof error === "string" && typeof errorType === "string")
      return new RequestFailed(status, errorType, error);
    if (typeof error.code === "string" && typeof error.message === "string")
      return new RequestFailed(status, error.code, error.message);
  } catch {
    // Not the portal's JSON: a proxy's page, or nothing.
  }
  return new RequestFailed(status, String(status), `The portal answered with status ${status}.`);
}
