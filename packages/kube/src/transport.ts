import type { RequestOptions } from "node:https";
import { createRequire } from "node:module";
import { isIP, type LookupFunction } from "node:net";
import { messageOf, untilAborted, withTimeout } from "@keelson/base";
import type { KubeConfig } from "@kubernetes/client-node";
import { type Dispatcher, Pool } from "undici";
import { WebSocket } from "ws";
import { errorOfAnswer, KubeError } from "./kube-error.ts";
import { untilOpen } from "./kube-exec.ts";

export interface TransportOptions {
  readonly kubeconfig: string;
  readonly userAgent: string;
  /** An IP address to connect with when the server's name starts with `api-int.`. */
  readonly internalAddress?: string;
  /** For a whole request, or for a watch until its first byte. */
  readonly timeoutMs: number;
  /** Called before every request; a throw stops it. */
  readonly beforeRequest: () => void;
}

export interface TransportRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Below the server's own path, with its query. */
  readonly path: string;
  readonly body?: unknown;
  readonly contentType?: string;
  /** `application/json` when absent. */
  readonly accept?: string;
}

/** HTTPS to one API server as one user: pools of kept-alive connections. */
export class Transport implements AsyncDisposable {
  readonly server: string;
  readonly #options: TransportOptions;
  readonly #config: KubeConfig;
  readonly #sockets = new Set<WebSocket>();
  #connection: Promise<Connection> | undefined;

  constructor(options: TransportOptions) {
    this.#options = options;
    this.#config = emptyConfig();
    this.#config.loadFromString(options.kubeconfig);
    const cluster = this.#config.getCurrentCluster();
    if (!cluster)
      throw new KubeError(0, "InvalidKubeconfig", "the kubeconfig's current context names no cluster");
    this.server = cluster.server;
  }

  /** The answer's body as text. @throws KubeError for every answer outside 2xx */
  async text(request: TransportRequest, signal: AbortSignal): Promise<string> {
    const limited = withTimeout(signal, this.#options.timeoutMs);
    const response = await this.#send(request, "requests", this.#options.timeoutMs, limited, signal);
    try {
      return await response.body.text();
    } catch (cause) {
      throw this.#failure(request, cause, signal);
    }
  }

  /** The answer's body as it arrives; abort ends it with the signal's reason. `idleMs` without a byte is a failure. */
  async *chunks(request: TransportRequest, idleMs: number, signal: AbortSignal): AsyncGenerator<Buffer> {
    const response = await this.#send(request, "streams", idleMs, signal, signal);
    try {
      for await (const chunk of response.body) yield chunk;
    } catch (cause) {
      throw this.#failure(request, cause, signal);
    }
  }

  /** An open, paused WebSocket; the server chooses one of `protocols`. @throws KubeError for an answer that is no upgrade */
  async webSocket(path: string, protocols: readonly string[], signal: AbortSignal): Promise<WebSocket> {
    signal.throwIfAborted();
    this.#options.beforeRequest();
    const request = { method: "GET", path } as const;
    const limited = withTimeout(signal, this.#options.timeoutMs);
    try {
      const connection = await this.#connect();
      const url = `${connection.origin.replace(/^http/, "ws")}${connection.basePath}${path}`;
      const headers = { ...(await connection.credentials()), "user-agent": this.#options.userAgent };
      const socket = new WebSocket(url, [...protocols], {
        ...connection.tls,
        headers,
        perMessageDeflate: false,
      });
      this.#sockets.add(socket);
      socket.once("close", () => this.#sockets.delete(socket));
      const refused = (code: number, body: string) => errorOfAnswer(code, `GET ${path}`, body);
      return await untilOpen(socket, refused, limited);
    } catch (cause) {
      throw cause instanceof KubeError ? cause : this.#failure(request, cause, signal);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.terminate();
    const connection = await this.#connection?.catch(() => undefined);
    await Promise.all([connection?.requests.destroy(), connection?.streams.destroy()]);
  }

  async #send(
    request: TransportRequest,
    pool: "requests" | "streams",
    bodyTimeout: number,
    signal: AbortSignal,
    callerSignal: AbortSignal,
  ): Promise<Dispatcher.ResponseData> {
    callerSignal.throwIfAborted();
    this.#options.beforeRequest();
    let response: Dispatcher.ResponseData;
    try {
      const connection = await this.#connect();
      // The pool heeds the signal once it is connected; a server that takes no connection must not hold up an abort.
      const sent = connection[pool].request({
        method: request.method,
        path: connection.basePath + request.path,
        headers: {
          ...(await connection.credentials()),
          accept: request.accept ?? "application/json",
          "user-agent": this.#options.userAgent,
          ...(request.body === undefined
            ? {}
            : { "content-type": request.contentType ?? "application/json" }),
        },
        body: request.body === undefined ? null : JSON.stringify(request.body),
        signal,
        headersTimeout: this.#options.timeoutMs,
        bodyTimeout,
      });
      response = await untilAborted(sent, signal);
    } catch (cause) {
      throw this.#failure(request, cause, callerSignal);
    }
    if (response.statusCode < 200 || response.statusCode > 299) {
      const body = await response.body.text().catch(() => "");
      throw errorOfAnswer(response.statusCode, `${request.method} ${request.path}`, body);
    }
    return response;
  }

  #failure(request: TransportRequest, cause: unknown, callerSignal: AbortSignal): unknown {
    if (callerSignal.aborted) return callerSignal.reason;
    const name = cause instanceof Error ? cause.name : "";
    const timedOut = /Timeout/.test(name);
    const what = `${request.method} ${request.path} of ${this.server}`;
    return timedOut
      ? new KubeError(0, "Timeout", `${what} did not answer within ${this.#options.timeoutMs} ms`, { cause })
      : new KubeError(0, "Unreachable", `${what} failed: ${messageOf(cause)}`, { cause });
  }

  #connect(): Promise<Connection> {
    this.#connection ??= openConnection(this.#config, this.server, this.#options.internalAddress).catch(
      (error: unknown) => {
        this.#connection = undefined;
        throw error;
      },
    );
    return this.#connection;
  }
}

interface Connection {
  readonly requests: Pool;
  /** Of its own and without limit: a stream keeps its connection for minutes. */
  readonly streams: Pool;
  readonly origin: string;
  readonly basePath: string;
  readonly tls: Pick<RequestOptions, "ca" | "cert" | "key" | "rejectUnauthorized" | "servername" | "lookup">;
  /** The headers that authenticate the user; credential plugins may renew them between requests. */
  credentials(): Promise<Readonly<Record<string, string>>>;
}

async function openConnection(
  config: KubeConfig,
  server: string,
  internalAddress: string | undefined,
): Promise<Connection> {
  const url = new URL(server);
  const options = await credentialsOf(config);
  const { ca, cert, key, rejectUnauthorized, servername } = options;
  const connect = {
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
    ...(rejectUnauthorized === undefined ? {} : { rejectUnauthorized }),
    ...(servername === undefined ? {} : { servername }),
    ...(internalAddress !== undefined && url.hostname.startsWith("api-int.")
      ? { lookup: alwaysAt(internalAddress) }
      : {}),
  };
  const user = config.getCurrentUser();
  const renews = user?.exec !== undefined || user?.authProvider !== undefined;
  const headers = headersOf(options);
  return {
    requests: new Pool(url.origin, { connections: 16, keepAliveTimeout: 30_000, connect }),
    streams: new Pool(url.origin, { connect }),
    origin: url.origin,
    basePath: url.pathname.replace(/\/$/, ""),
    tls: connect,
    credentials: async () => (renews ? headersOf(await credentialsOf(config)) : headers),
  };
}

/** Answers every look-up of a name with one address. */
function alwaysAt(address: string): LookupFunction {
  const family = isIP(address);
  return (_name, options, callback) => {
    if (options.all) callback(null, [{ address, family }]);
    else callback(null, address, family);
  };
}

async function credentialsOf(config: KubeConfig): Promise<RequestOptions> {
  const options: RequestOptions = { headers: {} };
  await config.applyToHTTPSOptions(options);
  return options;
}

function headersOf({ headers, auth }: RequestOptions): Readonly<Record<string, string>> {
  const result: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers ?? {})) result[name] = String(value);
  if (auth) result.Authorization = `Basic ${Buffer.from(auth).toString("base64")}`;
  return result;
}

/** The package is large, and most of those who import this one never connect. */
function emptyConfig(): KubeConfig {
  const load = createRequire(import.meta.url);
  const client: typeof import("@kubernetes/client-node") = load("@kubernetes/client-node");
  return new client.KubeConfig();
}
