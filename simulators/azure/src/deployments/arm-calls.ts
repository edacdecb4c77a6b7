import type { Clock, JsonObject, JsonValue } from "@keelson/base";
import { ArmError } from "../arm/arm-error.ts";
import { pathSegments } from "../arm/arm-path.ts";
import type { ArmRequest, ArmResponse } from "../arm/exchange.ts";
import type { Principal } from "../arm/principal.ts";
import { isJsonObject, members, nonEmptyStringAt, objectsAt } from "../base/json.ts";
import type { ClientRequest } from "../resource-provider/provider-front.ts";

/**
 * Caller of a deployment, and the host name to which the caller sent its request. The deployment sends its requests on behalf of
 * this caller.
 */
export interface Deployer {
  readonly principal: Principal;
  readonly baseUrl: string;
  readonly identityUrl: string;
  readonly correlationId: string;
}

export interface ResourceCall {
  readonly method: string;
  readonly id: string;
  readonly apiVersion: string;
  readonly body?: JsonValue | undefined;
  /** Query parameters in addition to the API version. */
  readonly query?: Readonly<Record<string, string>>;
}

/** Handles a request to ARM as if a client had sent it. */
export type RequestHandler = (request: ArmRequest, client: ClientRequest) => Promise<ArmResponse>;

const pollMs = 2_000;
const maxRetries = 60;
const retried = new Set(["AnotherOperationInProgress", "TooManyRequests", "RetryableError", "ServerTimeout"]);

/** Sends the requests of deployments to ARM. */
export class ArmCalls {
  readonly #respond: RequestHandler;
  readonly #clock: Clock;

  constructor(respond: RequestHandler, clock: Clock) {
    this.#respond = respond;
    this.#clock = clock;
  }

  /** Sends one request. @throws ArmError for an error response */
  async send(deployer: Deployer, call: ResourceCall): Promise<ArmResponse> {
    const { correlationId, identityUrl } = deployer;
    const request = requestOf(deployer, call);
    const path = request.segments.map(encodeURIComponent).join("/");
    const target = `/${path}?${request.query}`;
    const response = await this.#respond(request, {
      target,
      correlationId,
      clientRequestId: undefined,
      identityUrl,
    });
    if (response.status < 400) return response;
    throw errorOf(response);
  }

  /** Writes or deletes a resource and waits for completion. @throws ArmError if the operation fails */
  async complete(deployer: Deployer, call: ResourceCall, signal: AbortSignal): Promise<ArmResponse> {
    for (let attempt = 1; ; attempt++) {
      signal.throwIfAborted();
      try {
        const response = await this.send(deployer, call);
        await this.#wait(deployer, call, response, signal);
        return response;
      } catch (error) {
        if (!(error instanceof ArmError) || !retried.has(error.code) || attempt > maxRetries) throw error;
        await this.#clock.sleep(retryAfterMs(error.headers), signal);
      }
    }
  }

  async #wait(
    deployer: Deployer,
    call: ResourceCall,
    response: ArmResponse,
    signal: AbortSignal,
  ): Promise<void> {
    const url = URL.parse(response.headers?.["azure-asyncoperation"] ?? response.headers?.location ?? "");
    if (!url) return;
    const watch = {
      method: "GET",
      id: decodeURI(url.pathname),
      apiVersion: url.searchParams.get("api-version") ?? "",
    };
    for (;;) {
      const seen = await this.send(deployer, watch);
      const status =
        nonEmptyStringAt(seen.body, "status")?.toLowerCase() ??
        (seen.status === 202 ? "running" : "succeeded");
      if (status === "succeeded") return;
      if (status === "failed" || status === "canceled") throw endedIn(call.method, status, seen.body);
      await this.#clock.sleep(retryAfterMs(seen.headers), signal);
    }
  }
}

export function requestOf({ principal, baseUrl }: Deployer, call: ResourceCall): ArmRequest {
  return {
    method: call.method,
    segments: pathSegments(call.id.split("/").map(encodeURIComponent).join("/")),
    query: new URLSearchParams({ ...call.query, "api-version": call.apiVersion }),
    ifMatch: undefined,
    ifNoneMatch: undefined,
    body: call.body,
    baseUrl,
    principal,
  };
}

function errorOf({ status, body, headers }: ArmResponse): ArmError {
  const error = members(members(body).error);
  return new ArmError(
    status,
    nonEmptyStringAt(error, "code") ?? "InternalServerError",
    nonEmptyStringAt(error, "message") ?? `The response has the status ${status}.`,
    {
      target: nonEmptyStringAt(error, "target"),
      details: objectsAt(error, "details"),
      additionalInfo: objectsAt(error, "additionalInfo"),
      headers: { ...headers },
    },
  );
}

function endedIn(method: string, status: string, body: JsonValue | undefined): ArmError {
  const state = status === "failed" ? "Failed" : "Canceled";
  const error = members(body).error;
  const details: readonly JsonObject[] = isJsonObject(error) ? [error] : [];
  const what = method === "DELETE" ? "delete" : "write";
  return new ArmError(
    409,
    "ResourceDeploymentFailure",
    `The resource ${what} operation failed to complete successfully, because it reached terminal provisioning state '${state}'.`,
    { details },
  );
}

function retryAfterMs(headers: Readonly<Record<string, string>> | undefined): number {
  const seconds = Number(headers?.["retry-after"]);
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1_000 : pollMs;
}
