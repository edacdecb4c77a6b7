import { type Backoff, type Clock, isCoded, retry, retryAfterMs } from "@keelson/base";
import type { RegistryCredential } from "./credentials.ts";
import { errors } from "./errors.ts";
import { allowedUrl, type HostRules, ownUrl } from "./host-rules.ts";
import {
  HttpConnection,
  type HttpRequest,
  type HttpResponse,
  headerOf,
  startOfBody,
} from "./http-connection.ts";
import { errorText, RegistryError } from "./registry-error.ts";
import { SignIn } from "./sign-in.ts";

export interface RegistryOptions extends HostRules {
  readonly credential: RegistryCredential;
  /** CA certificates. Default: the public CA certificates. */
  readonly caPem?: string;
  readonly attempts: Backoff;
  readonly clock: Clock;
  readonly userAgent: string;
}

export interface RegistryRequest {
  readonly method: HttpRequest["method"];
  /** Path at the registry, or a URL from a response of the registry. */
  readonly url: string;
  readonly scopes: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | undefined;
  /** Response statuses that are not errors. */
  readonly accept: readonly number[];
  readonly signal: AbortSignal;
}

const maxRedirects = 3;
const redirects = [301, 302, 303, 307, 308];

/** Client of a registry (OCI distribution protocol). Signs in, follows download redirects and parses errors. */
export class Registry implements AsyncDisposable {
  readonly host: string;
  readonly #options: RegistryOptions;
  readonly #connection: HttpConnection;
  readonly #base: URL;
  readonly #signIn: SignIn;

  constructor(options: RegistryOptions) {
    this.host = options.registry;
    this.#options = options;
    this.#connection = new HttpConnection(options.caPem, `registries["${options.registry}"].caFile`);
    this.#base = new URL(`https://${options.registry}`);
    const { credential, clock } = options;
    this.#signIn = new SignIn({ connection: this.#connection, rules: options, credential, clock });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#connection[Symbol.asyncDispose]();
  }

  /**
   * Calls `action` and returns its result. Repeats the call after temporary failures, as the registry's options specify.
   * @throws the error of the last attempt
   */
  persist<T>(action: () => Promise<T>, signal: AbortSignal): Promise<T> {
    const { attempts: policy, clock } = this.#options;
    return retry(action, { policy, clock, signal, decide: delayBeforeRetry });
  }

  /**
   * Makes one attempt. The caller must read or discard the body.
   * @throws RegistryError with the registry's message for a status that is not in `accept`; HostNotAllowed; SignInFailed
   */
  async send(request: RegistryRequest): Promise<HttpResponse> {
    const url = ownUrl(request.url, this.#base, this.#options);
    const response = await this.#signedIn(request, url);
    const final = request.method === "GET" ? await this.#redirected(request, url, response) : response;
    if (request.accept.includes(final.statusCode)) return final;
    throw await this.#failure(request, url, final);
  }

  async #signedIn(request: RegistryRequest, url: URL): Promise<HttpResponse> {
    const { scopes, signal } = request;
    const first = await this.#once(request, url, this.#signIn.known(scopes));
    if (first.statusCode !== 401) return first;
    await first.body.dump();
    const second = await this.#once(request, url, await this.#signIn.respond(first, scopes, signal));
    if (second.statusCode !== 401) return second;
    this.#signIn.forget(scopes);
    const text = errorText(await startOfBody(second));
    throw errors.SignInFailed(
      `registry ${this.host} refuses the credentials${text ? `: ${text}` : ""}. Check registries["${this.host}"] of the configuration`,
    );
  }

  async #redirected(request: RegistryRequest, from: URL, first: HttpResponse): Promise<HttpResponse> {
    let [response, base] = [first, from];
    for (let hops = 0; redirects.includes(response.statusCode); hops++) {
      await response.body.dump();
      if (hops === maxRedirects)
        throw new RegistryError(400, `${this.host} redirects ${from.pathname} again and again`);
      base = allowedUrl(headerOf(response, "location") ?? "", base, this.#options, "redirectHosts");
      // The redirected request is sent without credentials, because the storage URL is already signed.
      response = await this.#once(request, base, undefined);
    }
    return response;
  }

  #once({ method, headers, body, signal }: RegistryRequest, url: URL, authorization: string | undefined) {
    return this.#connection.send({
      method,
      url,
      headers: {
        "user-agent": this.#options.userAgent,
        ...headers,
        ...(authorization === undefined ? {} : { authorization }),
      },
      body,
      signal,
    });
  }

  async #failure({ method }: RegistryRequest, url: URL, response: HttpResponse): Promise<RegistryError> {
    const { statusCode } = response;
    const text = errorText(await startOfBody(response));
    // The query string of an upload URL may contain a secret, so the message omits the query string.
    const message = `${method} ${url.host}${url.pathname} was answered with ${statusCode}${text ? `: ${text}` : ""}`;
    return new RegistryError(statusCode, message, {
      retryAfterMs: retryAfterMs(headerOf(response, "retry-after"), this.#options.clock.now()),
    });
  }
}

/**
 * Returns the retry delay in ms that the error contains. Returns undefined to use the delay of the retry policy, or `"stop"` if a
 * retry cannot succeed.
 */
export function delayBeforeRetry(error: unknown): number | undefined | "stop" {
  if (!isCoded(error) || error.retry === "never") return "stop";
  return error instanceof RegistryError ? error.retryAfterMs : undefined;
}

export function isNotFound(error: unknown): boolean {
  return error instanceof RegistryError && error.status === 404;
}
