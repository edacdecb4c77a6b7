import { readFileSync } from "node:fs";
import { http1Only, httpConnectTimeoutMs, messageOf, timeLimit } from "@keelson/base";
import { Agent, request } from "undici";
import { cliErrors } from "../output/cli-errors.ts";

export type AdminMethod = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** Time limit of a request in ms. The simulated world may respond late on a busy machine. */
const defaultTimeoutMs = 60_000;

/** Client of the simulated world's admin API. It authenticates with the admin token. */
export class AdminConnection implements AsyncDisposable {
  readonly #url: string;
  readonly #adminToken: string;
  readonly #agent: Agent;
  readonly #timeoutMs: number;

  constructor(url: string, caFile: string, adminToken: string, timeoutMs = defaultTimeoutMs) {
    this.#timeoutMs = timeoutMs;
    this.#url = url;
    this.#adminToken = adminToken;
    this.#agent = new Agent({
      ...http1Only,
      connect: { timeout: httpConnectTimeoutMs, ca: readFileSync(caFile, "utf8") },
      // The timeouts for headers and body are disabled, because each request has a time limit.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#agent.close();
  }

  /**
   * Sends a request and returns the response body.
   * @throws RequestFailed with the error in the response; NotRunning without a response
   */
  async call(method: AdminMethod, path: string, body?: object): Promise<string> {
    const { statusCode, text } = await this.#send(method, path, body);
    if (statusCode < 300) return text;
    throw cliErrors.RequestFailed(
      errorIn(text) ?? `${method} ${path} was answered with status ${statusCode}`,
    );
  }

  async #send(method: AdminMethod, path: string, body: object | undefined) {
    try {
      const response = await request(`${this.#url}${path}`, {
        method,
        dispatcher: this.#agent,
        headers: {
          authorization: `Bearer ${this.#adminToken}`,
          ...(body ? { "content-type": "application/json" } : {}),
        },
        signal: timeLimit(this.#timeoutMs),
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      return { statusCode: response.statusCode, text: await response.body.text() };
    } catch (cause) {
      throw cliErrors.NotRunning(
        `the simulated world does not answer at ${this.#url} (${messageOf(cause)}): is "keelson up" or "keelson sim" running?`,
        { cause },
      );
    }
  }
}

/** Returns the error message in a response. The simulated clusters return plain text, the simulated Azure an ARM error. */
function errorIn(text: string): string | undefined {
  try {
    const { error }: { error?: string | { readonly message?: string } } = JSON.parse(text);
    return typeof error === "string" ? error : error?.message;
  } catch {
    return undefined;
  }
}
