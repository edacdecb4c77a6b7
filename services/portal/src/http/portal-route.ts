import type { Logger } from "@keelson/base";
import type { ListenerResponse } from "@keelson/http";
import type { Login } from "../sign-in/login.ts";

/** Required access to a route. `open`: everyone. `login`: signed-in people. `elevated`: signed-in people with all permissions. */
type RouteAccess = "open" | "login" | "elevated";

/** Request with the values that routes read. */
export interface PortalContext {
  readonly method: string;
  /** Request URL as sent, with the portal's own origin. */
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
  /** Adds fields to the request's audit line. They are logged even if the request fails. */
  readonly audit: (fields: Readonly<Record<string, unknown>>) => void;
  readonly logger: Logger;
  /** Aborts when the client disconnects or the portal stops. */
  readonly signal: AbortSignal;
}

/** Cluster objects that a request reads, for the audit. */
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
  /** Writes the complete response. It stops if `signal` aborts. */
  readonly write?: (response: ListenerResponse) => Promise<void>;
  /** Person for the audit, if the person is known only after the response. */
  readonly caller?: string;
  /** Owner of the listed or ended sign-ins or sessions, for the audit. */
  readonly person?: string;
}

export interface PortalRoute {
  readonly method: "GET" | "POST" | "DELETE";
  /** Path pattern in lower case. `{name}` matches one segment. `{*}` at the end matches any number of further segments. */
  readonly path: string;
  /** Required access. With a sign-in, methods other than GET also require its CSRF token. */
  readonly access: RouteAccess;
  /**
   * True if the response contains data of a customer's cluster. Its headers then prevent browsers from displaying it as a page
   * and from running its scripts.
   */
  readonly carriesClusterData?: boolean;
  /** Response to callers without sufficient permissions. Default: 403. */
  readonly refusal?: PortalResponse;
  handle(context: PortalContext): Promise<PortalResponse> | PortalResponse;
}

/** Path patterns of one cluster: for its data, and for the routes below its resource ID. */
export const clusterPath = {
  data: "/api/{subscription}/{resourcegroup}/{name}",
  resource:
    "/subscriptions/{subscription}/resourcegroups/{resourcegroup}/providers/microsoft.redhatopenshift/openshiftclusters/{name}",
};
