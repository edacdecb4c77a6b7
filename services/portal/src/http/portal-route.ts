import type { Logger } from "@keelson/base";
import type { ListenerResponse } from "@keelson/http";
import type { Login } from "../sign-in/login.ts";

/** Required access to a route. `open`: every caller. `elevated`: signed-in people who have all permissions. */
type RouteAccess = "open" | "elevated";

/** Request with the values that routes read. */
export interface PortalContext {
  readonly method: string;
  /** Request URL as the client sent it, with the portal's own origin. */
  readonly url: URL;
  /** Returns the value of a path parameter in lower case. */
  readonly parameter: (name: string) => string;
  readonly header: (name: string) => string | undefined;
  /**
   * Parses the body as JSON.
   * @throws UnsupportedMediaType, RequestTooLarge, BadRequest
   */
  readonly json: () => Promise<unknown>;
  /**
   * Returns the signed-in person.
   * @throws Unauthenticated on an open route without a sign-in
   */
  readonly login: () => Login;
  /** Adds fields to the request's audit line. The fields are logged even if the request then fails. */
  readonly audit: (fields: Readonly<Record<string, unknown>>) => void;
  readonly logger: Logger;
  /** Aborts when the client disconnects or the portal stops. */
  readonly signal: AbortSignal;
}

/** Cluster objects that a request reads, as recorded in the audit. */
export interface AuditedRead {
  readonly verb: "get" | "list" | "watch";
  /** Kind in the form `kind` or `kind.group`. */
  readonly resource: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly container?: string;
}

type ResponseHeaders = Readonly<Record<string, string | readonly string[]>>;

/** Response of a route. At most one of `json`, `text`, `bytes` and `write` is set. */
export interface PortalResponse {
  readonly status: number;
  readonly headers?: ResponseHeaders;
  readonly json?: unknown;
  readonly text?: string;
  readonly bytes?: Uint8Array;
  /** Writes the complete response. Stops when `signal` aborts. */
  readonly write?: (response: ListenerResponse) => Promise<void>;
  /** Person for the audit line of a sign-in. The request of a sign-in has no sign-in cookie that identifies the person. */
  readonly caller?: string;
  /** Person to whom the listed or ended sign-ins or sessions belong, for the audit. */
  readonly person?: string;
}

export interface PortalRoute {
  readonly method: "GET" | "POST" | "DELETE";
  /** Path pattern in lower case. `{name}` matches one segment. `{*}` at the end matches any number of segments. */
  readonly path: string;
  /**
   * Required access. Default: people who are signed in. If the route requires a sign-in, all methods except GET also require the
   * sign-in's CSRF token.
   */
  readonly access?: RouteAccess;
  /**
   * True if the response contains data from a customer's cluster. The response headers then prevent browsers from displaying the
   * data as a page and from running its scripts.
   */
  readonly carriesClusterData?: boolean;
  /** Response to callers who do not have sufficient permissions. Default: an error with status 403. */
  readonly refusal?: PortalResponse;
  handle(context: PortalContext): Promise<PortalResponse> | PortalResponse;
}

/** Declares a route for people who are signed in. */
export function route(
  method: PortalRoute["method"],
  path: string,
  handle: PortalRoute["handle"],
): PortalRoute {
  return { method, path, handle };
}

/** Path patterns of one cluster: the pattern for its data, and the pattern for routes below its resource ID. */
export const clusterPath = {
  data: "/api/{subscription}/{resourcegroup}/{name}",
  resource:
    "/subscriptions/{subscription}/resourcegroups/{resourcegroup}/providers/microsoft.redhatopenshift/openshiftclusters/{name}",
};
