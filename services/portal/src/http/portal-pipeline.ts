import { type Clock, isCoded, type Logger, messageOf } from "@keelson/base";
import type { ListenerRequest, ListenerResponse, PeerAddress } from "@keelson/http";
import { failureOf, portalErrors } from "../errors/portal-errors.ts";
import { clearCookie } from "../sign-in/cookies.ts";
import { foreignRequest } from "../sign-in/csrf.ts";
import type { Elevations } from "../sign-in/elevations.ts";
import { type Login, type Logins, loginCookie } from "../sign-in/login.ts";
import type { SessionKeys } from "../sign-in/session-keys.ts";
import type { SignOuts } from "../sign-in/sign-outs.ts";
import { gzipped } from "./gzip.ts";
import type { PortalContext, PortalResponse, PortalRoute } from "./portal-route.ts";
import { readJson } from "./request-body.ts";
import { RequestRecords } from "./request-records.ts";
import { RouteTable } from "./route-table.ts";
import { clusterDataHeaders, securityHeaders } from "./security-headers.ts";
import { unknownPage } from "./unknown-page.ts";

export interface PipelineOptions {
  readonly routes: readonly PortalRoute[];
  /** Public origin of the portal, `https://host:port`. */
  readonly origin: string;
  /** Sign-in dependencies. Undefined if sign-in is not configured. */
  readonly signIn?:
    | {
        readonly keys: SessionKeys;
        readonly logins: Logins;
        readonly signOuts: SignOuts;
        readonly elevations: Elevations;
      }
    | undefined;
  /** Called after the authentication of each request, with the network address of the caller. */
  readonly authenticated: (peer: PeerAddress) => void;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Aborts when the portal stops. */
  readonly stopping: AbortSignal;
}

const maxUrl = 8_192;

/**
 * Processes requests with the routes. Authenticates and authorizes each request, sends the response, and writes the access log
 * and the audit.
 */
export class PortalPipeline {
  readonly #options: PipelineOptions;
  readonly #table: RouteTable;
  readonly #records: RequestRecords;
  readonly #security: Readonly<Record<string, string>>;

  constructor(options: PipelineOptions) {
    this.#options = options;
    this.#table = new RouteTable(options.routes);
    this.#records = new RequestRecords(options.clock, options.logger);
    this.#security = securityHeaders(options.origin);
  }

  async respond(request: ListenerRequest, response: ListenerResponse): Promise<void> {
    const { clock, logger, stopping } = this.#options;
    const startedMs = clock.monotonicMs();
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    const [path = ""] = (request.url ?? "").split("?");
    const method = request.method ?? "";
    const found = this.#find(request, path);
    const route = found && "route" in found ? found.route : undefined;
    let caller: string | undefined;
    let code: string | undefined;
    let answer: PortalResponse;
    let audit: Readonly<Record<string, unknown>> = {};
    try {
      if (!found) throw portalErrors.NotFound("There is nothing at this path.");
      if (!("route" in found)) throw methodNotAllowed(found.allowed);
      const login = await this.#login(request, found.route);
      if (typeof login === "object") {
        caller = login.username;
        this.#options.authenticated(request.socket);
      }
      answer =
        this.#refuse(found.route, request, login) ??
        (await found.route.handle(
          this.#context(
            request,
            found.parameters,
            login,
            () => AbortSignal.any([gone.signal, stopping]),
            (fields) => (audit = { ...audit, ...fields }),
          ),
        ));
      caller = answer.caller ?? caller;
    } catch (error) {
      const failure = failureOf(error);
      code = failure.code;
      if (failure.status >= 500 && !gone.signal.aborted)
        logger.warn({ path, code, reason: messageOf(error), cause: causeOf(error) }, "a request failed");
      const isPage = !found && isForPage(request);
      answer = {
        status: failure.status,
        ...(isPage ? { text: unknownPage } : { json: { error: { code, message: failure.message } } }),
        headers: {
          ...(isPage ? { "content-type": "text/html; charset=utf-8" } : {}),
          ...(found && "allowed" in found ? { allow: found.allowed.join(", ") } : {}),
          ...(failure.retryAfterSeconds === undefined
            ? {}
            : { "retry-after": `${failure.retryAfterSeconds}` }),
        },
      };
    }
    request.resume();
    await this.#write(request, response, answer, route?.carriesClusterData === true);
    const { remoteAddress: peer } = request.socket;
    this.#records.write({
      method,
      route: route?.path,
      path,
      caller,
      person: answer.person,
      audit,
      status: answer.status,
      startedMs,
      peer,
      userAgent: `${request.headers["user-agent"] ?? ""}`.slice(0, 256),
      httpVersion: request.httpVersion,
      code,
    });
  }

  #find(request: ListenerRequest, path: string) {
    const { url = "", method = "" } = request;
    return url.length > maxUrl ? undefined : this.#table.find(method, path);
  }

  async #login({ headers }: ListenerRequest, { access }: PortalRoute): Promise<Login | "none" | "invalid"> {
    const { signIn } = this.#options;
    const login = await signIn?.logins.find(headers.cookie);
    // The sign-in of the caller is ignored on routes without sign-in, so their audit lines contain no user name.
    if (!signIn || !login || access === "open") return "none";
    if (typeof login !== "object") return login;
    return (await signIn.signOuts.has(login)) ? "invalid" : signIn.elevations.apply(login);
  }

  /** Returns the response that refuses a caller without access. Undefined if the caller is authorized. */
  #refuse(
    route: PortalRoute,
    request: ListenerRequest,
    login: Login | "none" | "invalid",
  ): PortalResponse | undefined {
    const { signIn, origin } = this.#options;
    if (route.access === "open") return undefined;
    if (!signIn) throw portalErrors.NotConfigured("The portal has no sign-in: `portal.signIn` is missing.");
    if (typeof login === "string") return signInFirst(request, login);
    if (route.method !== "GET") {
      const header = (name: string) => headerOf(request, name);
      const why = foreignRequest(signIn.keys, login, { origin, header });
      if (why !== undefined) throw portalErrors.Forbidden(why);
    }
    if (route.access !== "elevated" || login.role === "elevated") return undefined;
    if (route.refusal) return route.refusal;
    throw portalErrors.Forbidden("Elevated access is required.");
  }

  #context(
    request: ListenerRequest,
    parameters: ReadonlyMap<string, string>,
    login: Login | "none" | "invalid",
    newSignal: () => AbortSignal,
    audit: PortalContext["audit"],
  ): PortalContext {
    const { origin, logger } = this.#options;
    // The combined signal is created only when it is needed. Few routes need it, and its creation takes long compared with a
    // short request.
    let signal: AbortSignal | undefined;
    const used = () => (signal ??= newSignal());
    return {
      method: request.method ?? "",
      url: new URL(request.url ?? "", origin),
      parameter: (name) => parameters.get(name) ?? "",
      header: (name) => headerOf(request, name),
      json: () => readJson(request, used()),
      login() {
        if (typeof login === "object") return login;
        throw portalErrors.Unauthenticated("Sign in first.");
      },
      audit,
      logger,
      get signal() {
        return used();
      },
    };
  }

  async #write(
    request: ListenerRequest,
    response: ListenerResponse,
    answer: PortalResponse,
    carriesClusterData: boolean,
  ): Promise<void> {
    const { status, headers = {}, json, text, bytes, write } = answer;
    if (response.destroyed || response.writableEnded) return;
    const forClusterData = carriesClusterData && status !== 307 ? clusterDataHeaders : {};
    const all = { "cache-control": "no-store", ...this.#security, ...forClusterData, ...headers };
    for (const [name, value] of Object.entries(all))
      response.setHeader(name, typeof value === "string" ? value : [...value]);
    if (write) return write(response);
    if (json !== undefined) response.setHeader("content-type", "application/json");
    else if (text !== undefined && !response.hasHeader("content-type"))
      response.setHeader("content-type", "text/plain; charset=utf-8");
    const written = json === undefined ? text : `${JSON.stringify(json, undefined, 4)}\n`;
    let body = written === undefined ? (bytes ?? new Uint8Array()) : Buffer.from(written);
    if (written !== undefined) {
      response.setHeader("vary", "accept-encoding");
      const smaller = await gzipped(body, headerOf(request, "accept-encoding"));
      if (response.destroyed) return;
      if (smaller) response.setHeader("content-encoding", "gzip");
      body = smaller ?? body;
    }
    if (status !== 204 && status !== 304) response.setHeader("content-length", body.length);
    response.writeHead(status);
    response.end(request.method === "HEAD" ? "" : body);
  }
}

/** Redirects to the sign-in page if a browser requests a page. Requests of scripts get a 401 response. */
function signInFirst(request: ListenerRequest, login: "none" | "invalid"): PortalResponse {
  const headers = login === "invalid" ? { "set-cookie": clearCookie(loginCookie) } : {};
  if (isFromScript(request)) {
    const error = { code: "Unauthenticated", message: "Sign in first: GET /api/login." };
    return { status: 401, headers, json: { error } };
  }
  const target = request.url ?? "/";
  const location = `/api/login?redirect_uri=${encodeURI(target).replace(/[?&#+]/g, encodeURIComponent)}`;
  return { status: 307, headers: { ...headers, location } };
}

/** True if a browser sends this request in order to display a page. */
function isForPage(request: ListenerRequest): boolean {
  return (
    request.method === "GET" &&
    !isFromScript(request) &&
    /\btext\/html\b/.test(headerOf(request, "accept") ?? "")
  );
}

function isFromScript(request: ListenerRequest): boolean {
  const mode = headerOf(request, "sec-fetch-mode");
  if (mode !== undefined) return mode !== "navigate";
  return /\bapplication\/json\b|\btext\/event-stream\b/.test(headerOf(request, "accept") ?? "");
}

function headerOf({ headers }: ListenerRequest, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

function methodNotAllowed(allowed: readonly string[]): Error {
  return portalErrors.MethodNotAllowed(`This path accepts only ${allowed.join(", ")}.`);
}

function causeOf(error: unknown): string | undefined {
  return isCoded(error) && error.cause !== undefined ? messageOf(error.cause) : undefined;
}
