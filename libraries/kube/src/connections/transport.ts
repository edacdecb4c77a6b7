import type { ClientRequest } from "node:http";
import { TLSSocket } from "node:tls";
import { messageOf, untilAborted, withTimeout } from "@keelson/base";
import type { WebSocket } from "ws";
import type { KubeAccess } from "../kubeconfig/read-kubeconfig.ts";
import { BodyReader, chunksOf, maxErrorBytes, startOf } from "../responses/bounded-body.ts";
import { errorOfResponse, KubeError } from "../responses/kube-error.ts";
import { untilOpen } from "../streams/kube-exec.ts";
import { type ConnectOptions, connectOptions } from "./connect-options.ts";
import type { ConnectionPool } from "./connection-pool.ts";
import { Http1Connections } from "./http1-connections.ts";
import { Http2Client, type Response } from "./http2-client.ts";
import { Http2Connections } from "./http2-connections.ts";
import { warningsIn } from "./warning-header.ts";

export interface TransportOptions {
  readonly access: KubeAccess;
  readonly userAgent: string;
  /** IP address that is used if the server's name starts with `api-int.`. */
  readonly internalAddress?: string | undefined;
  /** Connections shared with other clients. Default: separate connections. */
  readonly connections?: ConnectionPool | undefined;
  /** Time limit in ms. It applies to a complete request, or to the first byte of a watch. */
  readonly timeoutMs: number;
  /** Called before every request, and again when a connection is available. If the function throws, the request is not sent. */
  readonly beforeRequest: () => void;
}

export interface TransportRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Path relative to the server's base path, with the query. */
  readonly path: string;
  readonly body?: unknown;
  readonly contentType?: string;
  /** Default: `application/json`. */
  readonly accept?: string;
  /** Called with each warning of a 2xx response. */
  readonly onWarning?: (text: string) => void;
}

/** HTTPS client of one API server and user. */
export class Transport implements AsyncDisposable {
  readonly server: string;
  readonly #options: TransportOptions;
  readonly #access: KubeAccess;
  readonly #sockets = new Set<WebSocket>();
  #connection: Connection | undefined;

  constructor(options: TransportOptions) {
    this.#options = options;
    this.#access = options.access;
    this.server = this.#access.server.href.replace(/\/$/, "");
  }

  /**
   * Sends a request and passes the response body to `read`. Returns the result of `read`.
   * @throws KubeError for any status other than 2xx, and errors of `read`
   */
  async read<T>(
    request: TransportRequest,
    signal: AbortSignal,
    read: (body: BodyReader) => Promise<T>,
  ): Promise<T> {
    const limited = withTimeout(signal, this.#options.timeoutMs);
    const response = await this.#send(request, "whole", undefined, limited, signal);
    try {
      return await read(new BodyReader(response.body, (cause) => cause));
    } catch (cause) {
      if (cause instanceof KubeError) throw cause;
      throw this.#failure(request, cause, signal);
    }
  }

  /**
   * Returns the response body as a stream. An abort ends the stream with the signal's reason. With `idleMs`, a longer pause
   * between bytes is a failure.
   */
  async open(request: TransportRequest, signal: AbortSignal, idleMs?: number): Promise<BodyReader> {
    const response = await this.#send(request, "streams", idleMs, signal, signal);
    return new BodyReader(response.body, (cause) => this.#failure(request, cause, signal));
  }

  /** Sends a request and yields the chunks of its response body. */
  async *chunks(request: TransportRequest, idleMs: number, signal: AbortSignal): AsyncGenerator<Buffer> {
    yield* chunksOf(await this.open(request, signal, idleMs));
  }

  /**
   * Returns an open, paused WebSocket. The server selects one of `protocols`.
   * @throws KubeError for a response that is not an upgrade
   */
  webSocket(path: string, protocols: readonly string[], signal: AbortSignal): Promise<WebSocket> {
    return this.#authenticated((access) => this.#webSocketAs(access, path, protocols, signal));
  }

  async #webSocketAs(
    headers: Readonly<Record<string, string>>,
    path: string,
    protocols: readonly string[],
    signal: AbortSignal,
  ): Promise<WebSocket> {
    signal.throwIfAborted();
    this.#options.beforeRequest();
    const request = { method: "GET", path } as const;
    const limited = withTimeout(signal, this.#options.timeoutMs);
    const { WebSocket } = await import("ws");
    const guard = new Guard(this.#options.beforeRequest);
    try {
      const connection = this.#connect();
      const session = connection.tls.resumption.load();
      const url = `${connection.origin.replace(/^http/, "ws")}${connection.basePath}${path}`;
      const socket = new WebSocket(url, [...protocols], {
        ...connection.tls,
        ...(session && { session }),
        headers: { ...headers, "user-agent": this.#options.userAgent },
        perMessageDeflate: false,
        followRedirects: false,
        maxPayload: maxFrameBytes,
        finishRequest: (upgrade) => finishWhenConnected(upgrade, guard),
      });
      this.#sockets.add(socket);
      socket.once("close", () => this.#sockets.delete(socket));
      const refused = (code: number, body: string) => errorOfResponse(code, `GET ${path}`, body);
      return await untilOpen(socket, refused, limited);
    } catch (cause) {
      if (guard.refusal) throw guard.refusal.reason;
      throw cause instanceof KubeError ? cause : this.#failure(request, cause, signal);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.terminate();
    this.#connection?.http2[Symbol.dispose]();
    await this.#connection?.http1[Symbol.asyncDispose]();
  }

  #send(
    request: TransportRequest,
    kind: "whole" | "streams",
    idleMs: number | undefined,
    signal: AbortSignal,
    callerSignal: AbortSignal,
  ): Promise<Response> {
    return this.#authenticated((access) => this.#sendAs(access, request, kind, idleMs, signal, callerSignal));
  }

  /** Sends a request with the current credentials. After a 401, it retries once if new credentials are available. */
  async #authenticated<T>(send: (access: Readonly<Record<string, string>>) => Promise<T>): Promise<T> {
    const access = await this.#access.headers();
    try {
      return await send(access);
    } catch (error) {
      if (!(error instanceof KubeError) || error.code !== 401) throw error;
      if (!(await this.#access.renew?.(access))) throw error;
    }
    return send(await this.#access.headers());
  }

  async #sendAs(
    access: Readonly<Record<string, string>>,
    request: TransportRequest,
    kind: "whole" | "streams",
    idleMs: number | undefined,
    signal: AbortSignal,
    callerSignal: AbortSignal,
  ): Promise<Response> {
    callerSignal.throwIfAborted();
    this.#options.beforeRequest();
    const headers = {
      ...access,
      accept: request.accept ?? "application/json",
      "user-agent": this.#options.userAgent,
      ...(request.body === undefined ? {} : { "content-type": request.contentType ?? "application/json" }),
    };
    const { timeoutMs } = this.#options;
    const connection = this.#connect();
    const path = connection.basePath + request.path;
    const { method } = request;
    const body = request.body === undefined ? undefined : JSON.stringify(request.body);
    const guard = new Guard(this.#options.beforeRequest);
    const send = async () => {
      const listed = [":method", method, ":path", path, ...Object.entries(headers).flat()];
      const ofResponse = { timeoutMs, idleMs };
      const answer = await connection.http2.request(listed, body, ofResponse, signal, () => guard.check());
      if (answer) return answer;
      guard.check();
      const limits = { headersTimeout: timeoutMs, bodyTimeout: idleMs ?? 0 };
      return connection.http1.request(kind, { method, path, headers, body: body ?? null, signal, ...limits });
    };
    let response: Response;
    try {
      // The HTTP clients react to the signal only after they are connected. An abort must not wait for a server that accepts no
      // connections.
      response = await untilAborted(send(), signal);
    } catch (cause) {
      if (guard.refusal) throw guard.refusal.reason;
      throw this.#failure(request, cause, callerSignal);
    }
    if (response.statusCode < 200 || response.statusCode > 299) {
      const limited = withTimeout(callerSignal, this.#options.timeoutMs);
      const body = await startOf(response.body, maxErrorBytes, limited);
      callerSignal.throwIfAborted();
      throw errorOfResponse(response.statusCode, `${request.method} ${request.path}`, body);
    }
    if (request.onWarning) for (const text of warningsIn(response.headers.warning)) request.onWarning(text);
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

  #connect(): Connection {
    this.#connection ??= openConnection(this.#options);
    return this.#connection;
  }
}

/**
 * Calls `beforeRequest` again, directly before the request is sent. The permission to send may have expired while the connection
 * was opened.
 */
class Guard {
  readonly #beforeRequest: () => void;
  /** Error that the failed check threw. Undefined if no check failed. */
  refusal: { readonly reason: unknown } | undefined;

  constructor(beforeRequest: () => void) {
    this.#beforeRequest = beforeRequest;
  }

  /** @throws the error that `beforeRequest` threw */
  check(): void {
    try {
      this.#beforeRequest();
    } catch (reason) {
      this.refusal = { reason };
      throw reason;
    }
  }
}

/** Sends the head of an upgrade request when the connection is established. The guard may stop the request. */
function finishWhenConnected(upgrade: ClientRequest, guard: Guard): void {
  upgrade.once("socket", (socket) => {
    const finish = () => {
      try {
        guard.check();
        upgrade.end();
      } catch {
        upgrade.destroy(new Error("the request was stopped"));
      }
    };
    socket.once(socket instanceof TLSSocket ? "secureConnect" : "connect", finish);
  });
}

/** Maximum size of a WebSocket frame in bytes. Kubelets write frames of 32 KiB. */
const maxFrameBytes = 1024 * 1024;

interface Connection extends ConnectOptions {
  readonly http2: Http2Client;
  /** Connections to a server without HTTP/2. */
  readonly http1: Http1Connections;
}

function openConnection({ access, internalAddress, connections }: TransportOptions): Connection {
  const options = connectOptions(access, internalAddress);
  const { origin, tls } = options;
  const http2 = new Http2Client(connections?.to(options) ?? new Http2Connections(origin, tls));
  return { ...options, http2, http1: new Http1Connections(origin, tls) };
}
