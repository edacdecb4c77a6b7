import type { TokenCredential } from "@azure/core-auth";
import {
  createHttpPoller,
  type OperationResponse,
  type OperationState,
  type PollerLike,
} from "@azure/core-lro";
import { getPagedAsyncIterator, type PagedAsyncIterableIterator } from "@azure/core-paging";
import {
  bearerTokenAuthenticationPolicy,
  createDefaultHttpClient,
  createHttpHeaders,
  createPipelineFromOptions,
  createPipelineRequest,
  type HttpClient,
  type HttpMethods,
  type Pipeline,
  type PipelineOptions,
  type PipelineResponse,
  RestError,
} from "@azure/core-rest-pipeline";
import { type BodyMembers, sendable } from "./body-members.ts";

export type { OperationState, PagedAsyncIterableIterator, PollerLike, TokenCredential };

/**
 * Options for the connection to Azure Resource Manager: retries, proxy, TLS and telemetry as in all Azure SDKs.
 */
export interface ClientOptions extends PipelineOptions {
  /** URL without a trailing slash. Default: https://management.azure.com. */
  readonly endpoint?: string;
  /** Token scopes. Default: `<endpoint>/.default`. */
  readonly scopes?: string | string[];
  /** Default: the client of Azure's SDKs. */
  readonly httpClient?: HttpClient;
}

export interface OperationOptions {
  /**
   * Aborts the call, but not the operation of the service. A poller stops at its next poll, or immediately if
   * its `pollUntilDone` also has the signal.
   */
  readonly abortSignal?: AbortSignal;
  /** Milliseconds between two polls of an operation without `Retry-After`. Default: 5,000. */
  readonly intervalInMs?: number;
  /**
   * Result of a poller's `serialize()`. The poller then follows that operation, also of a different process, and
   * starts no new one.
   */
  readonly restoreFrom?: string;
}

interface Target extends ClientOptions {
  readonly apiVersion: string;
  readonly credential: TokenCredential;
  readonly subscriptionId: string;
}

/** Operation of the API documents with the values of a call. */
export interface OperationCall {
  readonly method: HttpMethods;
  /** Path with `{subscriptionId}` and the names in `parameters`. */
  readonly path: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly sends?: BodyMembers;
  readonly options: OperationOptions;
}

/** Calls the operations of the generated clients. Failures are `RestError`s with the code of the service. */
export class ArmConnection {
  readonly #target: Target;
  readonly #endpoint: string;
  readonly #pipeline: Pipeline;
  readonly #http: HttpClient;

  constructor(target: Target) {
    const { endpoint = "https://management.azure.com", scopes = `${endpoint}/.default`, credential } = target;
    this.#target = target;
    this.#endpoint = endpoint;
    this.#http = target.httpClient ?? createDefaultHttpClient();
    this.#pipeline = createPipelineFromOptions(target);
    this.#pipeline.addPolicy(bearerTokenAuthenticationPolicy({ credential, scopes }), { phase: "Sign" });
  }

  /** Calls an operation and returns the result in its first response. */
  async call<Result>(operation: OperationCall): Promise<Result> {
    const response = await this.#send(operation, this.#url(operation));
    return bodyOf(response) as Result;
  }

  /** Returns the elements of all pages. `byPage()` returns pages. */
  list<Element>(operation: OperationCall): PagedAsyncIterableIterator<Element> {
    return getPagedAsyncIterator<Element>({
      firstPageLink: this.#url(operation),
      getPage: async (link) => {
        const body = bodyOf(await this.#send(operation, link)) as Partial<Page<Element>> | undefined;
        const nextPageLink = body?.nextLink;
        return { page: body?.value ?? [], ...(nextPageLink ? { nextPageLink } : {}) };
      },
    });
  }

  /** Starts an operation that continues after its first response. The poller is a promise of its result. */
  begin<Result>(operation: OperationCall): PollerLike<OperationState<Result>, Result> {
    const { abortSignal, intervalInMs = 5_000, restoreFrom } = operation.options;
    const { body: _, sends: __, ...asking } = operation;
    return createHttpPoller<Result, OperationState<Result>>(
      {
        sendInitialRequest: async () => operationResponse(await this.#send(operation, this.#url(operation))),
        sendPollRequest: async (url) =>
          operationResponse(
            await this.#send(
              { ...asking, method: "GET", options: abortSignal ? { abortSignal } : {} },
              this.#absolute(url),
            ),
          ),
      },
      { intervalInMs, ...(restoreFrom === undefined ? {} : { restoreFrom }) },
    );
  }

  #url({ path, parameters }: OperationCall): string {
    const { apiVersion, subscriptionId } = this.#target;
    const values: Readonly<Record<string, string>> = { ...parameters, subscriptionId };
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = values[name];
      if (!value) throw new RangeError(`${name} must not be empty`);
      return encodeURIComponent(value);
    });
    return `${this.#endpoint}${filled}?api-version=${apiVersion}`;
  }

  #absolute(url: string): string {
    return new URL(url, this.#endpoint).href;
  }

  async #send({ method, body, sends, options }: OperationCall, url: string): Promise<PipelineResponse> {
    const { abortSignal } = options;
    const request = createPipelineRequest({
      url,
      method,
      headers: createHttpHeaders({ accept: "application/json" }),
      ...(abortSignal ? { abortSignal } : {}),
    });
    if (body !== undefined) {
      request.headers.set("content-type", "application/json");
      request.body = JSON.stringify(sends ? sendable(body, sends) : body);
    }
    const response = await this.#pipeline.sendRequest(this.#http, request);
    if (response.status >= 400) throw failure(response);
    return response;
  }
}

interface Page<Element> {
  readonly value: Element[];
  readonly nextLink: string;
}

function bodyOf({ bodyAsText }: PipelineResponse): unknown {
  return bodyAsText ? JSON.parse(bodyAsText) : undefined;
}

function operationResponse(response: PipelineResponse): OperationResponse {
  const { request, status, headers } = response;
  const body = bodyOf(response);
  return {
    flatResponse: body,
    rawResponse: { statusCode: status, headers: headers.toJSON(), body, request },
  };
}

/** Returns the error of the service. `code` is its code, `details` its complete body. */
function failure(response: PipelineResponse): RestError {
  const { status, request, bodyAsText } = response;
  let details: { readonly error?: { readonly code?: string; readonly message?: string } } | undefined;
  try {
    details = bodyAsText ? JSON.parse(bodyAsText) : undefined;
  } catch {
    // A proxy may respond with text.
  }
  const { code, message = bodyAsText || `${request.method} ${request.url} returned status ${status}` } =
    details?.error ?? {};
  const error = new RestError(message, { statusCode: status, request, response, ...(code ? { code } : {}) });
  error.details = details;
  return error;
}
