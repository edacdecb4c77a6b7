import type { Session } from "../access/sessions.ts";

/**
 * Caller of a route. `open`: any client of this machine. `page`: a page of the console before its sign-in. `session`: a
 * signed-in browser. `control`: the program, with the token of the simulated world.
 */
export type RouteAccess = "open" | "page" | "session" | "control";

export interface RouteContext {
  /** Decoded path parameter. */
  readonly parameter: (name: string) => string;
  readonly query: URLSearchParams;
  readonly header: (name: string) => string | undefined;
  /** Body as a JSON object. @throws UnsupportedMediaType, RequestTooLarge, BadRequest */
  readonly json: () => Promise<Readonly<Record<string, unknown>>>;
  /** Session of the caller. @throws Unauthenticated for routes with a different access */
  readonly session: () => Session;
  /** Aborts when the client disconnects and when the console stops. */
  readonly signal: AbortSignal;
}

/** At most one of `json` and `bytes`. */
export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly bytes?: Uint8Array;
}

export interface Route {
  readonly method: "GET" | "POST" | "DELETE";
  /** `{name}` is one segment, `{*}` any number of segments. */
  readonly path: string;
  readonly access: RouteAccess;
  handle(context: RouteContext): Promise<Answer> | Answer;
}
