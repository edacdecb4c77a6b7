import { type Logger, messageOf, type Secret } from "@keelson/base";
import { type ListenerRequest, type ListenerResponse, PathPattern, type PeerAddress } from "@keelson/http";
import { cookieIn, cookieName } from "../access/cookies.ts";
import { isOwnHost, isSameText, refusalOfChange } from "../access/same-origin.ts";
import type { Session, Sessions } from "../access/sessions.ts";
import { consoleErrors, failureOf } from "./errors.ts";
import { readObject } from "./request-body.ts";
import type { Response, Route, RouteContext } from "./route.ts";
import { securityHeaders } from "./security-headers.ts";

export interface PipelineOptions {
  /** Loads the routes at the first request. Until then, the console needs only its listener. */
  readonly routes: () => Promise<readonly Route[]>;
  /** Port number in `Host`, `Origin` and the cookie name. */
  readonly port: number;
  readonly sessions: Sessions;
  /** Bearer token for routes with the `control` access. */
  readonly controlToken: Secret;
  /** Called with the peer address of each authenticated request. */
  readonly authenticated: (peer: PeerAddress) => void;
  readonly logger: Logger;
  /** Aborts when the console stops. */
  readonly stopping: AbortSignal;
}

const maxUrl = 4_096;

interface Entry {
  readonly route: Route;
  readonly pattern: PathPattern;
}

/** Checks host, origin and session of each request, calls its route and writes the response. */
export class Pipeline {
  readonly #options: PipelineOptions;
  #entries: Promise<readonly Entry[]> | undefined;

  constructor(options: PipelineOptions) {
    this.#options = options;
  }

  async response(request: ListenerRequest, response: ListenerResponse): Promise<void> {
    const { logger, stopping } = this.#options;
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    let answer: Response;
    try {
      answer = await this.#handle(request, AbortSignal.any([gone.signal, stopping]));
    } catch (error) {
      const { status, code, message } = failureOf(error);
      if (status >= 500 && !gone.signal.aborted)
        logger.warn(
          { path: pathOf(request), code, reason: messageOf(error) },
          "a request of the console failed",
        );
      answer = { status, json: { error: { code, message } } };
    }
    request.resume();
    write(request, response, answer);
  }

  async #handle(request: ListenerRequest, signal: AbortSignal): Promise<Response> {
    const { port } = this.#options;
    const header = (name: string) => headerOf(request, name);
    const host = header(":authority") ?? header("host");
    if (host === undefined || !isOwnHost(host, port))
      throw consoleErrors.Forbidden(`The console is at https://localhost:${port} only.`);
    const { route, parameters } = await this.#find(request);
    const session = this.#admit(route, request, host);
    return route.handle({
      parameter: (name) => parameters.get(name) ?? "",
      query: new URL(request.url ?? "/", "https://localhost").searchParams,
      header,
      json: () => readObject(request, signal),
      session() {
        if (session) return session;
        throw consoleErrors.Unauthenticated("The route has no session.");
      },
      signal,
    } satisfies RouteContext);
  }

  async #find(request: ListenerRequest) {
    const { url = "", method = "" } = request;
    const segments = url.length > maxUrl ? undefined : segmentsOf(pathOf(request));
    if (!segments) throw consoleErrors.NotFound("The console has nothing at this path.");
    const matches = (await this.#table()).flatMap(({ route, pattern }) => {
      const match = pattern.match(segments);
      return match ? [{ route, parameters: match.names }] : [];
    });
    const wanted = method === "HEAD" ? "GET" : method;
    const found = matches.find(({ route }) => route.method === wanted);
    if (found) return found;
    if (matches.length === 0) throw consoleErrors.NotFound("The console has nothing at this path.");
    const methods = matches.map(({ route }) => route.method).join(", ");
    throw consoleErrors.MethodNotAllowed(`This path accepts ${methods} only.`);
  }

  #table(): Promise<readonly Entry[]> {
    this.#entries ??= this.#options
      .routes()
      .then((routes) => routes.map((route) => ({ route, pattern: new PathPattern(route.path) })));
    return this.#entries;
  }

  /** Checks the access to a route. Returns the session if the route requires one. @throws Unauthenticated, Forbidden */
  #admit({ access, method }: Route, request: ListenerRequest, host: string): Session | undefined {
    const { port, sessions, controlToken, authenticated } = this.#options;
    const header = (name: string) => headerOf(request, name);
    if (access === "open") return undefined;
    if (access === "control") {
      if (!isSameText(header("authorization") ?? "", `Bearer ${controlToken.reveal()}`))
        throw consoleErrors.Unauthenticated("The token of the simulated world is required.");
      authenticated(request.socket);
      return undefined;
    }
    if (access === "page") {
      refuse(refusalOfChange(header, host));
      return undefined;
    }
    const id = cookieIn(header("cookie"), cookieName(port));
    const session = id === undefined ? undefined : sessions.find(id);
    if (!session)
      throw consoleErrors.Unauthenticated(
        "Run ./keelson sim console in a terminal, and open the link that it prints.",
      );
    authenticated(request.socket);
    if (method !== "GET") refuse(refusalOfChange(header, host, session.csrf));
    return session;
  }
}

function refuse(reason: string | undefined): void {
  if (reason !== undefined) throw consoleErrors.Forbidden(reason);
}

function write(request: ListenerRequest, response: ListenerResponse, answer: Response): void {
  const { status, headers = {}, json, bytes } = answer;
  if (response.destroyed || response.writableEnded) return;
  const body = json === undefined ? (bytes ?? new Uint8Array()) : Buffer.from(JSON.stringify(json));
  for (const [name, value] of Object.entries({ ...securityHeaders, ...headers }))
    response.setHeader(name, value);
  if (json !== undefined) response.setHeader("content-type", "application/json");
  if (status !== 204 && status !== 304) response.setHeader("content-length", body.length);
  response.writeHead(status);
  response.end(request.method === "HEAD" ? "" : body);
}

function pathOf({ url = "" }: ListenerRequest): string {
  return url.split("?", 1)[0] ?? "";
}

/** Returns the decoded segments of a path. Undefined for an ambiguous path that servers interpret differently. */
function segmentsOf(path: string): readonly string[] | undefined {
  try {
    const segments = path.split("/").map((segment) => decodeURIComponent(segment));
    const isPlain = segments.every((each) => each !== "." && each !== ".." && !/[/\\\p{Cc}]/u.test(each));
    return isPlain ? segments : undefined;
  } catch {
    return undefined;
  }
}

function headerOf({ headers }: ListenerRequest, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}
