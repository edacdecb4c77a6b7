import type { ClientRequest } from "node:http";
import { TLSSocket } from "node:tls";
import { messageOf, untilAborted, withTimeout } from "@keelson/base";
import type { WebSocket } from "ws";
import type { KubeAccess } from "../kubeconfig/read-kubeconfig.ts";
import { BodyReader, chunksOf, maxErrorBytes, startOf } from "../responses/bounded-body.ts";
import { errorOfAnswer, KubeError } from "../responses/kube-error.ts";
import { untilOpen } from "../streams/kube-exec.ts";
import { type ConnectOptions, connectOptions } from "./connect-options.ts";
import type { ConnectionPool } from "./connection-pool.ts";
import { Http1Connections } from "./http1-connections.ts";
import { type Answer, Http2Client } from "./http2-client.ts";
import { Http2Connections } from "./http2-connections.ts";
import { warningsIn } from "./warning-header.ts";

export interface TransportOptions {
  readonly access: KubeAccess;
  readonly userAgent: string;
  /** An IP address to connect with when the server's name starts with `api-int.`. */
  readonly internalAddress?: string | undefined;
  /** Shared connections. Default: separate ones. */
  readonly connections?: ConnectionPool | undefined;
  /** Time limit for a complete request, or for the first byte of a watch. */
  readonly timeoutMs: number;
  /** Called before every request, and again when there is a connection for it; a throw stops it. */
  readonly beforeRequest: () => void;
}

export interface TransportRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Path below the server's base path, with the query. */
  readonly path: string;
  readonly body?: unknown;
  readonly contentType?: string;
  /** Default: `application/json`. */
  readonly accept?: string;
  /** Called with each warning of a 2xx response. */
  readonly onWarning?: (text: string) => void;
}

/** HTTPS client of one API server and user. With HTTP/2, it uses one connection. */
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
   * Returns the result of `read` for the response body. @throws KubeError for every status outside 2xx, and
   * errors of `read`
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
   * Returns the response body as a stream. An abort ends it with the signal's reason. With `idleMs`, a longer
   * pause without bytes is a failure.
   */
  async open(request: TransportRequest, signal: AbortSignal, idleMs?: number): Promise<BodyReader> {
    const response = await this.#send(request, "streams", idleMs, signal, signal);
    return new BodyReader(response.body, (cause) => this.#failure(request, cause, signal));
  }

  /** The same, in turn. */
  async *chunks(request: TransportRequest, idleMs: number, signal: AbortSignal): AsyncGenerator<Buffer> {
    yield* chunksOf(await this.open(request, signal, idleMs));
  }

  /**
   * Returns an open, paused WebSocket. The server selects one of `protocols`. @throws KubeError for a
   * response that is not an upgrade
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
      const url = `${connection.origin.replace(/^http/, "ws")}${connection.basePath}${path}`;
      const socket = new WebSocket(url, [...protocols], {
        ...connection.tls,
        headers: { ...headers, "user-agent": this.#options.userAgent },
        perMessageDeflate: false,
        followRedirects: false,
        maxPayload: maxFrameBytes,
        finishRequest: (upgrade) => finishWhenConnected(upgrade, guard),
      });
      this.#sockets.add(socket);
      socket.once("close", () => this.#sockets.delete(socket));
      const refused = (code: number, body: string) => errorOfAnswer(code, `GET ${path}`, body);
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
  ): Promise<Answer> {
    return this.#authenticated((access) => this.#sendAs(access, request, kind, idleMs, signal, callerSignal));
  }

  /** Retries once after a 401 if the credentials have been replaced in the meantime. */
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
  ): Promise<Answer> {
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
      const ofAnswer = { timeoutMs, idleMs };
      const answer = await connection.http2.request(listed, body, ofAnswer, signal, () => guard.check());
      if (answer) return answer;
      guard.check();
      const limits = { headersTimeout: timeoutMs, bodyTimeout: idleMs ?? 0 };
      return connection.http1.request(kind, { method, path, headers, body: body ?? null, signal, ...limits });
    };
    let response: Answer;
    try {
      // The clients ignore the signal until they are connected, and a server that accepts no connection must
      // not delay an abort.
      response = await untilAborted(send(), signal);
    } catch (cause) {
      if (guard.refusal) throw guard.refusal.reason;
      throw this.#failure(request, cause, callerSignal);
    }
    if (response.statusCode < 200 || response.statusCode > 299) {
      const limited = withTimeout(callerSignal, this.#options.timeoutMs);
      const body = await startOf(response.body, maxErrorBytes, limited);
      callerSignal.throwIfAborted();
      throw errorOfAnswer(response.statusCode, `${request.method} ${request.path}`, body);
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
 * Checks the request's permission again right before it is sent, because it may have expired during the
 * connection setup.
 */
class Guard {
  readonly #beforeRequest: () => void;
  /** Reason of the refusal. */
  refusal: { readonly reason: unknown } | undefined;

  constructor(beforeRequest: () => void) {
    this.#beforeRequest = beforeRequest;
  }

  /** @throws the error of `beforeRequest` */
  check(): void {
    try {
      this.#beforeRequest();
    } catch (reason) {
      this.refusal = { reason };
      throw reason;
    }
  }
}

/** Sends an upgrade's head when its connection is there, if it may still be sent. */
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

/** Kubelets write frames of 32 KiB. */
const maxFrameBytes = 1024 * 1024;

interface Connection extends ConnectOptions {
  readonly http2: Http2Client;
  /** Used for servers without HTTP/2. */
  readonly http1: Http1Connections;
}

function openConnection({ access, internalAddress, connections }: TransportOptions): Connection {
  const options = connectOptions(access, internalAddress);
  const { origin, tls } = options;
  const http2 = new Http2Client(connections?.to(options) ?? new Http2Connections(origin, tls));
  return { ...options, http2, http1: new Http1Connections(origin, tls) };
}
