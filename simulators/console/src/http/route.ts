import type { Session } from "../access/sessions.ts";

/**
 * Required caller of a route.
 * `open`: any local client. `page`: a console page before the sign-in. `session`: a signed-in browser. `control`: the command
 * line, which sends the control token.
 */
export type RouteAccess = "open" | "page" | "session" | "control";

export interface RouteContext {
  /** Decoded path parameter. */
  readonly parameter: (name: string) => string;
  readonly query: URLSearchParams;
  readonly header: (name: string) => string | undefined;
  /** Body as a JSON object. @throws UnsupportedMediaType, RequestTooLarge, BadRequest */
  readonly json: () => Promise<Readonly<Record<string, unknown>>>;
  /** Returns the caller's session. @throws Unauthenticated for routes without the `session` access */
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
  readonly access: RouteAccess;
  handle(context: RouteContext): Promise<Response> | Response;
}
