import type { RequestOptions } from "node:https";
import { messageOf, withTimeout } from "@keelson/base";
import { KubeConfig } from "@kubernetes/client-node";
import { type Dispatcher, Pool } from "undici";
import { errorOfAnswer, KubeError } from "./kube-error.ts";

export interface TransportOptions {
  readonly kubeconfig: string;
  readonly userAgent: string;
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
}

/** HTTPS to one API server as one user: pools of kept-alive connections. */
export class Transport implements AsyncDisposable {
  readonly server: string;
  readonly #options: TransportOptions;
  readonly #config: KubeConfig;
  #connection: Promise<Connection> | undefined;

  constructor(options: TransportOptions) {
    this.#options = options;
    this.#config = new KubeConfig();
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

  async [Symbol.asyncDispose](): Promise<void> {
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
      response = await connection[pool].request({
        method: request.method,
        path: connection.basePath + request.path,
        headers: {
          ...(await connection.credentials()),
          accept: "application/json",
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
    this.#connection ??= openConnection(this.#config, this.server).catch((error: unknown) => {
      this.#connection = undefined;
      throw error;
    });
    return this.#connection;
  }
}

interface Connection {
  readonly requests: Pool;
  /** Of its own and without limit: a stream keeps its connection for minutes. */
  readonly streams: Pool;
  readonly basePath: string;
  /** The headers that authenticate the user; credential plugins may renew them between requests. */
  credentials(): Promise<Readonly<Record<string, string>>>;
}

async function openConnection(config: KubeConfig, server: string): Promise<Connection> {
  const url = new URL(server);
  const options = await credentialsOf(config);
  const { ca, cert, key, rejectUnauthorized, servername } = options;
  const connect = {
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
    ...(rejectUnauthorized === undefined ? {} : { rejectUnauthorized }),
    ...(servername === undefined ? {} : { servername }),
  };
  const user = config.getCurrentUser();
  const renews = user?.exec !== undefined || user?.authProvider !== undefined;
  const headers = headersOf(options);
  return {
    requests: new Pool(url.origin, { connections: 16, keepAliveTimeout: 30_000, connect }),
    streams: new Pool(url.origin, { connect }),
    basePath: url.pathname.replace(/\/$/, ""),
    credentials: async () => (renews ? headersOf(await credentialsOf(config)) : headers),
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
