import type { Session } from "../access/sessions.ts";

/**
 * Required caller of a route.
 * `open`: any local client. `page`: a console page before the sign-in. `control`: the command line, which sends the control token.
 */
type RouteAccess = "open" | "page" | "control";

export interface RouteContext {
  /** Decoded path parameter. */
  readonly parameter: (name: string) => string;
  readonly query: URLSearchParams;
  readonly header: (name: string) => string | undefined;
  /** Body as a JSON object. @throws UnsupportedMediaType, RequestTooLarge, BadRequest */
  readonly json: () => Promise<Readonly<Record<string, unknown>>>;
  /** Returns the caller's session. @throws Unauthenticated for routes with a different required caller */
  readonly session: () => Session;
  /** Aborts when the client disconnects or the console stops. */
  readonly signal: AbortSignal;
}

/** Response. At most one of `json` and `bytes` is set. */
export interface Response {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly bytes?: Uint8Array;
}

export interface Route {
  readonly method: "GET" | "POST" | "DELETE";
  /** Path pattern. `{name}` matches one segment, `{*}` any number of segments. */
  readonly path: string;
  /** Default: a signed-in browser. */
  readonly access?: RouteAccess;
  handle(context: RouteContext): Promise<Response> | Response;
}

/** Declares a route for signed-in browsers. */
export function route(method: Route["method"], path: string, handle: Route["handle"]): Route {
  return { method, path, handle };
}
