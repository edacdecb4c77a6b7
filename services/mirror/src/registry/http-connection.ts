import { http1Only, messageOf } from "@keelson/base";
import { Agent, type Dispatcher, request } from "undici";
import { errors } from "./errors.ts";
import { RegistryError } from "./registry-error.ts";

export interface HttpRequest {
  readonly method: "GET" | "HEAD" | "POST" | "PATCH" | "PUT" | "DELETE";
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string | undefined;
  readonly signal: AbortSignal;
}

export type HttpResponse = Dispatcher.ResponseData;

const silenceMs = 60_000;

/** HTTPS connections. Redirects are returned like other responses. */
export class HttpConnection implements AsyncDisposable {
  readonly #agent: Agent;

  constructor(caPem: string | undefined) {
    this.#agent = new Agent({
      ...http1Only,
      headersTimeout: silenceMs,
      bodyTimeout: silenceMs,
      connect: { timeout: 20_000, ...(caPem ? { ca: caPem } : {}) },
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#agent.destroy();
  }

  /** @throws RegistryError RegistryUnavailable without a response; the signal's reason */
  async send({ method, url, headers, body, signal }: HttpRequest): Promise<HttpResponse> {
    try {
      return await request(url, {
        method,
        headers,
        signal,
        dispatcher: this.#agent,
        ...(body === undefined
          ? {}
          : {
              body:
                typeof body === "string" ? body : Buffer.from(body.buffer, body.byteOffset, body.byteLength),
            }),
      });
    } catch (cause) {
      signal.throwIfAborted();
      throw new RegistryError(0, `${url.host} does not answer: ${messageOf(cause)}`, { cause });
    }
  }
}

/**
 * Reads a complete body.
 * @throws TooLarge after at most one chunk beyond the limit; RegistryError for a broken connection
 */
export async function wholeBody({ body }: HttpResponse, maxBytes: number, what: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body) {
      bytes += chunk.length;
      if (bytes > maxBytes) break;
      chunks.push(chunk);
    }
  } catch (cause) {
    throw new RegistryError(0, `${what} broke off: ${messageOf(cause)}`, { cause });
  }
  if (bytes > maxBytes) throw errors.TooLarge(`${what} has more than ${maxBytes} bytes`);
  return Buffer.concat(chunks);
}

/** Reads the start of an error's body. Read errors are ignored. */
export async function startOfBody(response: HttpResponse, maxBytes = 8_192): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response.body) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= maxBytes) break;
    }
  } catch {
    // The received part is still useful.
  }
  return Buffer.concat(chunks).subarray(0, maxBytes).toString("utf8");
}

export function headerOf({ headers }: HttpResponse, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(", ") : value;
}
