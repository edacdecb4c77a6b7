import type { Logger } from "@keelson/base";
import type { ListenerResponse } from "@keelson/http";
import type { Login } from "../sign-in/login.ts";

/** Who may ask: anyone, people who are signed in, or those of them with all rights. */
type RouteAccess = "open" | "login" | "elevated";

/** What a route is asked. */
export interface PortalContext {
  readonly method: string;
  /** As it was sent, at the portal's own address. */
  readonly url: URL;
  /** Of the path's pattern, lower case. */
  readonly parameter: (name: string) => string;
  readonly header: (name: string) => string | undefined;
  /** The body as JSON. @throws UnsupportedMediaType, RequestTooLarge, BadRequest */
  readonly json: () => Promise<unknown>;
  /** Who is signed in. @throws Unauthenticated where the route is open and no one is */
  readonly login: () => Login;
  /** Records in the audit which objects of the cluster the request reads. */
  readonly audit: (read: AuditedRead) => void;
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
  /** The person whose sign-ins or sessions the caller listed or ended, for the audit. */
  readonly person?: string;
  /** Further fields of the audit line. */
  readonly audit?: Readonly<Record<string, unknown>>;
}

export interface PortalRoute {
  readonly method: "GET" | "POST" | "DELETE";
  /** Lower case. `{name}` is one segment; `{*}` at the end is all that follow, also none. */
  readonly path: string;
  /** Requests other than GET by people who are signed in also need the token of their sign-in. */
  readonly access: RouteAccess;
  /**
   * The response carries data of a customer's cluster. It gets headers under which a browser runs and shows nothing of
   * it, should it take the response for a page.
   */
  readonly carriesClusterData?: boolean;
  /** What is answered in place of 403 to those whose rights do not suffice. */
  readonly refusal?: PortalAnswer;
  handle(context: PortalContext): Promise<PortalAnswer> | PortalAnswer;
}

/** Paths of one cluster: of its data, and of what is at its resource ID. */
export const clusterPath = {
  data: "/api/{subscription}/{resourcegroup}/{name}",
  resource:
    "/subscriptions/{subscription}/resourcegroups/{resourcegroup}/providers/microsoft.redhatopenshift/openshiftclusters/{name}",
};
