import type { PipelineOptions, PipelineResponse, RestError } from "@azure/core-rest-pipeline";
import type { TokenCredential } from "@azure/identity";
import { isPlainObject, type JsonObject, tryParseJson } from "@keelson/base";
import { errors } from "./errors.ts";
import { httpClient } from "./http-client.ts";
import { type RequestPolicyOptions, requestPolicy } from "./request-policy.ts";
import { restPipeline } from "./sdks.ts";

/** Requests without SDK clients, because the SDK clients drop unknown properties. */
export interface RawRequests {
  /** Returns a resource exactly as ARM returns it. Throws the same errors as the SDK clients. @throws InvalidResourceId */
  get(id: string, query: Readonly<Record<string, string>>, signal: AbortSignal): Promise<JsonObject>;
  /**
   * Writes or deletes a resource. Sends the body unchanged. When the promise resolves, Azure may still be working on the
   * operation. The resource's `provisioningState` shows the progress. Throws the same errors as the SDK clients.
   * @throws InvalidResourceId
   */
  write(request: RawWrite, signal: AbortSignal): Promise<void>;
  /** Downloads from a URL that contains its authorization, such as a signed blob URL. */
  download(url: string, signal: AbortSignal): AsyncIterable<Uint8Array>;
}

export interface RawWrite {
  readonly method: "PUT" | "PATCH" | "DELETE";
  readonly id: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body?: JsonObject;
}

export interface RawRequestOptions extends RequestPolicyOptions {
  readonly endpoint: string;
  readonly credential: TokenCredential;
  readonly scope: string;
  readonly pipeline: PipelineOptions;
}

export function rawRequests(options: RawRequestOptions): RawRequests {
  const { bearerTokenAuthenticationPolicy, createPipelineFromOptions, createPipelineRequest } =
    restPipeline();
  const anonymous = createPipelineFromOptions(options.pipeline);
  anonymous.addPolicy(requestPolicy(options), { afterPhase: "Retry" });
  const signedIn = anonymous.clone();
  const { credential, scope } = options;
  signedIn.addPolicy(bearerTokenAuthenticationPolicy({ credential, scopes: scope }), { phase: "Sign" });
  return {
    async get(id, query, signal) {
      const url = urlOf(options.endpoint, id, query);
      const request = createPipelineRequest({ url, abortSignal: signal });
      const response = await signedIn.sendRequest(httpClient(), request);
      const body = tryParseJson(response.bodyAsText ?? "");
      if (response.status === 200 && isPlainObject(body)) return body;
      throw failureOf(response, body);
    },
    async write({ method, id, query, body }, signal) {
      const url = urlOf(options.endpoint, id, query);
      const request = createPipelineRequest({ url, method, abortSignal: signal });
      if (body !== undefined) {
        request.headers.set("content-type", "application/json");
        request.body = JSON.stringify(body);
      }
      const response = await signedIn.sendRequest(httpClient(), request);
      if (response.status >= 300) throw failureOf(response, tryParseJson(response.bodyAsText ?? ""));
    },
    async *download(url, signal) {
      const streamResponseStatusCodes = new Set([200]);
      const request = createPipelineRequest({ url, abortSignal: signal, streamResponseStatusCodes });
      const response = await anonymous.sendRequest(httpClient(), request);
      if (!response.readableStreamBody) throw failureOf(response, tryParseJson(response.bodyAsText ?? ""));
      for await (const piece of response.readableStreamBody) {
        yield typeof piece === "string" ? Buffer.from(piece) : piece;
      }
    },
  };
}

/**
 * Builds the URL of a resource. Rejects IDs that URL parsing would change to a different path or host, because the request
 * contains the service's token.
 */
function urlOf(endpoint: string, id: string, query: Readonly<Record<string, string>>): string {
  if (!id.startsWith("/"))
    throw errors.InvalidResourceId(`'${id}' is not a resource ID: it must begin with '/'.`);
  const base = endpoint.replace(/\/$/, "");
  const url = URL.parse(base + id);
  const path = new URL(base).pathname.replace(/\/$/, "") + id;
  if (/[?#%\\]/.test(id) || url === null || decodeURIComponent(url.pathname) !== path)
    throw errors.InvalidResourceId(
      `'${id}' is not a resource ID: it must not contain '?', '#', '%', '\\' or dot segments.`,
    );
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url.href;
}

function failureOf(response: PipelineResponse, details: unknown): RestError {
  // The query is excluded, because it may contain a signature.
  const { pathname, host } = new URL(response.request.url);
  const { RestError } = restPipeline();
  const error = new RestError(`${host}${pathname} returned status ${response.status}`, {
    statusCode: response.status,
  });
  error.details = details;
  return error;
}
