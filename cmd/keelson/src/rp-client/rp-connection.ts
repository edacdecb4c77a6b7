import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  http1Only,
  httpConnectTimeoutMs,
  messageOf,
  retryAfterMs,
  type StopReason,
  systemClock,
} from "@keelson/base";
import { Agent, type Dispatcher, request } from "undici";
import { cliErrors } from "../output/cli-errors.ts";
import type { Endpoints } from "../state/endpoints.ts";
import { isRefused, untilConnected } from "./until-connected.ts";

type RpMethod = "GET" | "PUT" | "POST" | "DELETE";

export interface RpResponse {
  readonly status: number;
  readonly body: string;
  readonly operationUrl: string | undefined;
  /** URL of the next page, from the response headers. */
  readonly next: string | undefined;
}

interface ReceivedResponse {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** Statuses of an overloaded or restarting service. A later GET request can succeed. */
const temporaryStatuses: ReadonlySet<number> = new Set([429, 502, 503, 504]);
const maxPauseMs = 10_000;

class TemporaryFailure extends Error {
  readonly response: ReceivedResponse;

  constructor(response: ReceivedResponse) {
    super(`status ${response.statusCode}`);
    this.response = response;
  }
}

/**
 * Returns the time in ms until the next attempt. After a response, this is the time in `Retry-After` (default: one second, at
 * most ten seconds). After a connection error, this is 200 ms.
 */
function pauseMs(error: unknown): number {
  if (!(error instanceof TemporaryFailure)) return 200;
  const header = error.response.headers["retry-after"];
  const askedMs = retryAfterMs(typeof header === "string" ? header : undefined, systemClock.now());
  return Math.min(askedMs ?? 1_000, maxPauseMs);
}

/** HTTPS connection to the resource provider of a running instance. */
export class RpConnection implements AsyncDisposable {
  readonly #url: string;
  readonly #agent: Agent;
  readonly reconnectMs: number;

  constructor({ rp, caFile }: Pick<Endpoints, "rp" | "caFile">, reconnectMs: number) {
    this.#url = rp;
    this.reconnectMs = reconnectMs;
    this.#agent = new Agent({
      ...http1Only,
      connect: { timeout: httpConnectTimeoutMs, ca: readFileSync(caFile, "utf8"), ...armCertificate(caFile) },
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#agent.close();
  }

  /** Dispatcher that trusts the local certificate authority. */
  get dispatcher(): Dispatcher {
    return this.#agent;
  }

  /**
   * Sends a request and throws an error unless the response reports success. `what` names the resource in the error message.
   * Default: the path.
   * @throws RequestFailed
   */
  async expect(
    method: RpMethod,
    path: string,
    body: object | undefined,
    signal: AbortSignal,
    what = path,
  ): Promise<RpResponse> {
    return succeeded(await this.call(method, path, body, signal), method, what);
  }

  /**
   * Sends a request. Retries any request if the connection is refused. Retries a GET request also after every other connection
   * error and after responses that report a temporary failure.
   */
  async call(
    method: RpMethod,
    path: string,
    body: object | undefined,
    signal: AbortSignal,
  ): Promise<RpResponse> {
    const send = async () => {
      const response = await this.#send(method, path, body, signal);
      if (method === "GET" && temporaryStatuses.has(response.statusCode))
        throw new TemporaryFailure(response);
      return response;
    };
    const isRepeated = (error: unknown) => method === "GET" || isRefused(error);
    const { reconnectMs } = this;
    const options = { reconnectMs, isRepeated, pauseMs, signal };
    const { statusCode, headers, text } = await untilConnected(send, options).catch((error: unknown) => {
      if (error instanceof TemporaryFailure) return error.response;
      throw error;
    });
    const operationUrl = headers["azure-asyncoperation"];
    return {
      status: statusCode,
      body: text,
      operationUrl: typeof operationUrl === "string" ? operationUrl : undefined,
      next: /<([^>]+)>; rel="next"/.exec(String(headers.link ?? ""))?.[1],
    };
  }

  async #send(
    method: RpMethod,
    path: string,
    body: object | undefined,
    signal: AbortSignal,
  ): Promise<ReceivedResponse> {
    try {
      const response = await request(`${this.#url}${path}`, {
        method,
        dispatcher: this.#agent,
        signal,
        // The header `prefer` makes this service include an operation's progress in its response. Azure's own service does not
        // return the progress.
        headers: { prefer: "keelson-progress", ...(body ? { "content-type": "application/json" } : {}) },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      return { statusCode: response.statusCode, headers: response.headers, text: await response.body.text() };
    } catch (cause) {
      if (cause === ("draining" satisfies StopReason)) throw cause;
      throw cliErrors.NotRunning(
        `the resource provider does not answer at ${this.#url} (${messageOf(cause)}): is "keelson up" or "keelson rp" running?`,
        { cause },
      );
    }
  }
}

/**
 * Reads the client certificate of the simulated Azure Resource Manager from the directory of the CA file. A resource provider
 * that verifies its callers rejects requests without an accepted client certificate.
 */
function armCertificate(caFile: string): { readonly cert?: string; readonly key?: string } {
  const [cert, key] = ["arm.pem", "arm-key.pem"].map((name) => join(dirname(caFile), name));
  if (!cert || !key || !existsSync(cert) || !existsSync(key)) return {};
  return { cert: readFileSync(cert, "utf8"), key: readFileSync(key, "utf8") };
}

/** Returns the response if it reports success. @throws RequestFailed */
export function succeeded(response: RpResponse, method: string, what: string): RpResponse {
  if (response.status < 300) return response;
  throw cliErrors.RequestFailed(
    `${method} ${what} returned status ${response.status}: ${response.body.trim()}`,
  );
}

/** Returns the path of a link. Links contain the public host name, but requests use the endpoint in `endpoints.json`. */
export function pathOf(link: string | undefined): string | undefined {
  const url = URL.parse(link ?? "");
  return url ? `${url.pathname}${url.search}` : undefined;
}
