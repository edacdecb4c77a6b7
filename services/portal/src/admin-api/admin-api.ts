import { http1Only, httpConnectTimeoutMs, withTimeout } from "@keelson/base";
import { Agent, request } from "undici";
import { portalErrors } from "../errors/portal-errors.ts";
import type { Login } from "../sign-in/login.ts";
import type { PersonTokens } from "../sign-in/person-tokens.ts";

export interface AdminApiOptions {
  /** Base URL without a path, for example `https://localhost:8443`. */
  readonly url: string;
  readonly tokens: PersonTokens;
  /** CA certificates (PEM) to trust instead of the public CAs. */
  readonly caPem?: string | undefined;
}

export interface AdminCall {
  readonly method: "GET" | "PUT" | "PATCH" | "POST" | "DELETE";
  /** Request path, including the query. */
  readonly target: string;
  /** JSON. */
  readonly body?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface AdminResponse {
  readonly status: number;
  readonly mediaType: string;
  readonly bytes: Buffer;
  /** True if the response was longer and is truncated. */
  readonly isTruncated: boolean;
  readonly location: string | undefined;
}

/** Maximum response size in bytes that a page displays. */
const maxBytes = 5 * 2 ** 20;
/** Time limit of a call in ms. The admin API responds within a minute, except for actions that are known to take long. */
const callMs = 75_000;

/** Client that calls the admin API on behalf of a signed-in person. Disposal closes its connections. */
export class AdminApi implements AsyncDisposable {
  readonly url: string;
  readonly #tokens: PersonTokens;
  readonly #agent: Agent;

  constructor({ url, tokens, caPem }: AdminApiOptions) {
    this.url = url.replace(/\/$/, "");
    this.#tokens = tokens;
    this.#agent = new Agent({ ...http1Only, connect: { timeout: httpConnectTimeoutMs, ca: caPem } });
  }

  /** Resolves to true if the portal has a token with which it can call the admin API on behalf of the person. */
  isUsableBy(login: Login, signal: AbortSignal): Promise<boolean> {
    return this.#tokens.has(login, signal);
  }

  /**
   * Calls the admin API with the person's token.
   * @throws Unauthenticated, NotConfigured; AdminApiFailed if there is no response
   */
  async call(login: Login, call: AdminCall, signal: AbortSignal): Promise<AdminResponse> {
    const token = await this.#tokens.accessToken(login, signal);
    const { method, target, body, headers = {} } = call;
    try {
      const response = await request(`${this.url}${target}`, {
        method,
        headers: {
          ...headers,
          authorization: `Bearer ${token.reveal()}`,
          ...(body === undefined ? {} : { "content-type": "application/json" }),
        },
        ...(body === undefined ? {} : { body }),
        dispatcher: this.#agent,
        signal: withTimeout(signal, callMs),
      });
      const { bytes, isTruncated } = await bounded(response.body);
      return {
        status: response.statusCode,
        mediaType: String(response.headers["content-type"] ?? "").split(";", 1)[0] ?? "",
        bytes,
        isTruncated,
        location: first(response.headers.location),
      };
    } catch (cause) {
      throw portalErrors.AdminApiFailed("The admin API did not respond.", { cause });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#agent.destroy();
  }
}

async function bounded(
  body: AsyncIterable<Uint8Array> & { destroy(): void },
): Promise<{ readonly bytes: Buffer; readonly isTruncated: boolean }> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    length += chunk.length;
    // Leaving the loop also closes the response stream.
    if (length > maxBytes) return { bytes: Buffer.concat(chunks).subarray(0, maxBytes), isTruncated: true };
  }
  return { bytes: Buffer.concat(chunks), isTruncated: false };
}

function first(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}
