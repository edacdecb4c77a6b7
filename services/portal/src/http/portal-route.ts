import type { Logger } from "@keelson/base";
import type { ListenerResponse } from "@keelson/http";
import type { Login } from "../sign-in/login.ts";

/** Required access: `open` for everyone, `login` for signed-in people, `elevated` for signed-in people with all rights. */
type RouteAccess = "open" | "login" | "elevated";

/** Request to a route. */
export interface PortalContext {
  readonly method: string;
  /** URL as sent, with the portal's own origin. */
  readonly url: URL;
  /** Value of a parameter in the path's pattern, in lower case. */
  readonly parameter: (name: string) => string;
  readonly header: (name: string) => string | undefined;
  /** The body as JSON. @throws UnsupportedMediaType, RequestTooLarge, BadRequest */
  readonly json: () => Promise<unknown>;
  /** The signed-in person. @throws Unauthenticated on an open route without a sign-in */
  readonly login: () => Login;
  /** Adds fields to the audit line of the request, which has them even if the request fails. */
  readonly audit: (fields: Readonly<Record<string, unknown>>) => void;
  readonly logger: Logger;
  /** Aborts when the client has gone, and when the portal stops. */
  readonly signal: AbortSignal;
}

/** Objects of a cluster that a request reads. */
export interface AuditedRead {
  readonly verb: "get" | "list" | "watch";
  /** `kind` or `kind.group`. */
  readonly resource: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly container?: string;
}

type AnswerHeaders = Readonly<Record<string, string | readonly string[]>>;

/** One of `json`, `text`, `bytes` and `write`, or no body. */
export interface PortalAnswer {
  readonly status: number;
  readonly headers?: AnswerHeaders;
  readonly json?: unknown;
  readonly text?: string;
  readonly bytes?: Uint8Array;
  /** Writes head and body itself, until it is done or `signal` aborts. */
  readonly write?: (response: ListenerResponse) => Promise<void>;
  /** The person that the audit names, where it is not known before. */
  readonly caller?: string;
  /** Owner of the sign-ins or sessions that the caller listed or ended, for the audit. */
  readonly person?: string;
}

export interface PortalRoute {
  readonly method: "GET" | "POST" | "DELETE";
  /** Lower case. `{name}` is one segment; `{*}` at the end matches all following segments, also zero. */
  readonly path: string;
  /** Signed-in people also need the CSRF token of their sign-in for methods other than GET. */
  readonly access: RouteAccess;
  /**
   * True if the response contains data of a customer's cluster. Its headers then prevent a browser from showing it as a
   * page and from running scripts in it.
   */
  readonly carriesClusterData?: boolean;
  /** Response to callers with insufficient rights. Default: 403. */
  readonly refusal?: PortalAnswer;
  handle(context: PortalContext): Promise<PortalAnswer> | PortalAnswer;
}

/** Paths of one cluster: its data, and the routes below its resource ID. */
export const clusterPath = {
  data: "/api/{subscription}/{resourcegroup}/{name}",
  resource:
    "/subscriptions/{subscription}/resourcegroups/{resourcegroup}/providers/microsoft.redhatopenshift/openshiftclusters/{name}",
};
