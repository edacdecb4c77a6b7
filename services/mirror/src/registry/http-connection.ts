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

/** HTTPS client. Redirects are returned, not followed. */
export class HttpConnection implements AsyncDisposable {
  readonly #agent: Agent;
  readonly #caField: string;

  /** `caField` is the name of the configuration field for the CA file. Error messages contain this name. */
  constructor(caPem: string | undefined, caField: string) {
    this.#caField = caField;
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

  /** Sends one request. @throws RegistryError RegistryUnavailable if there is no response; the abort reason of the signal */
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
      const hint = isUnknownAuthority(cause) ? `. Set ${this.#caField} to the PEM file of its authority` : "";
      throw new RegistryError(0, `${url.host} does not answer: ${messageOf(cause)}${hint}`, { cause });
    }
  }
}

const unknownAuthority = [
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
];

/** True if the server's certificate has an untrusted issuer. */
function isUnknownAuthority(cause: unknown): boolean {
  const { code } = Object(cause);
  return unknownAuthority.includes(code);
}

/**
 * Reads a complete body. A body above the limit is read at most one chunk too far.
 * @throws TooLarge if the body exceeds the limit; RegistryError for a broken connection
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

/** Reads the start of an error response's body. Read errors are ignored. */
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
    // The error is ignored, because the part of the body that was received before the error is still useful.
  }
  return Buffer.concat(chunks).subarray(0, maxBytes).toString("utf8");
}

export function headerOf({ headers }: HttpResponse, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(", ") : value;
}
