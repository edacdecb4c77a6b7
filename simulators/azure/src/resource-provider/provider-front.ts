import type { JsonObject, JsonValue } from "@keelson/base";
import { ArmError } from "../arm/arm-error.ts";
import { type ProviderPath, parseProviderPath } from "../arm/arm-path.ts";
import type { ArmRequest, ArmResponse } from "../arm/exchange.ts";
import { signedOperationUrl } from "../arm/operation-url.ts";
import type { Principal } from "../arm/principal.ts";
import { resourceNotFound } from "../arm/refusals.ts";
import { beingDeleted, requireGroup } from "../arm/resource-groups.ts";
import { isScopeTags, scopeSegments, tagsAfter, tagsResponse } from "../arm/scope-tags.ts";
import type { Subscription } from "../arm/subscription.ts";
import { requireSubscription } from "../arm/subscription-routes.ts";
import { draw } from "../arm/timings.ts";
import { authorize } from "../authorization/enforcement/enforcement.ts";
import { isJsonObject, members, nonEmptyStringAt } from "../base/json.ts";
import {
  callerHeaders,
  type ProviderResponse,
  type ResourceProvider,
  systemDataHeader,
} from "./resource-provider.ts";

const namespace = "microsoft.redhatopenshift";
const subscriptionApiVersion = "2.0";
/** API version of requests that Azure Resource Manager itself sends to the provider. */
const listApiVersion = "2025-07-25";

/** Client request data that `ArmRequest` does not contain. */
export interface ClientRequest {
  /** Path and query as the client sent them. */
  readonly target: string;
  readonly correlationId: string | undefined;
  readonly clientRequestId: string | undefined;
  /** Value of the request header `Prefer`. */
  readonly prefer?: string | undefined;
  /** URL of the service that returns the credentials of cluster identities. */
  readonly identityUrl: string;
}

/**
 * True for requests that Azure Resource Manager forwards to the resource provider. These are all requests in the provider's
 * namespace except the registration of the provider and of preview features.
 */
export function isProviders(segments: readonly string[]): boolean {
  const path = parseProviderPath(segments);
  return (
    path?.namespace.toLowerCase() === namespace &&
    !isRegistration(segments) &&
    !/\/providers\/Microsoft\.Features$/i.test(path.scope)
  );
}

/** True for requests that register or unregister the resource provider. The provider is notified after such a request. */
export function isRegistration(segments: readonly string[]): boolean {
  const path = parseProviderPath(segments);
  return path?.namespace.toLowerCase() === namespace && /^(un)?register$/i.test(path.types.join("/"));
}

/** True for the tags path of a cluster: `.../openShiftClusters/{name}/providers/Microsoft.Resources/tags/default`. */
export function isProvidersTags(segments: readonly string[]): boolean {
  return isScopeTags(segments) && isProviders(segments.slice(0, -4));
}

/**
 * Forwards requests to the resource provider, as Azure Resource Manager does. Authorizes each request and checks its scope and
 * the registration. Adds headers with the caller and the original URL.
 */
export class ProviderFront {
  readonly #subscription: Subscription;
  readonly #provider: ResourceProvider;
  /** Subscription state and features of which the provider was last notified. */
  #announced: string | undefined;

  constructor(subscription: Subscription, provider: ResourceProvider) {
    this.#subscription = subscription;
    this.#provider = provider;
  }

  /** Forwards a request to the provider. @throws ArmError */
  async forward(request: ArmRequest, client: ClientRequest, signal?: AbortSignal): Promise<ArmResponse> {
    const path = parseProviderPath(request.segments);
    if (!path) throw new ArmError(404, "InvalidRequestUri", "The path names no resource provider.");
    if (!request.query.get("api-version")) {
      throw new ArmError(
        400,
        "MissingApiVersionParameter",
        "The api-version query parameter (?api-version=) is required for all requests.",
      );
    }
    this.#subscription.store.transaction(() => {
      authorize(this.#subscription, request);
      this.#checkScope(path, request);
    });
    if (path.scope !== "") await this.announce();
    const headers = {
      ...callerHeaders(request.principal, this.#subscription.tenantId, client),
      ...(client.prefer ? { prefer: client.prefer } : {}),
      ...(await this.#writeHeaders(path, request, client, signal)),
    };
    const answer = await this.#provider.call({
      method: request.method,
      target: client.target,
      clientUrl: `${request.baseUrl}${client.target}`,
      body: bodyOf(request),
      headers,
    });
    return notThere(path, answer) ?? this.#responseOf(answer);
  }

  /**
   * Reads or changes the tags of a resource that the provider stores. A change is forwarded to the provider as a PATCH request.
   * @throws ArmError
   */
  async tags(request: ArmRequest, client: ClientRequest): Promise<ArmResponse> {
    const segments = scopeSegments(request);
    const query = new URLSearchParams({ "api-version": listApiVersion });
    const target = `/${segments.map(encodeURIComponent).join("/")}?${query}`;
    const call = (method: string, body?: JsonObject) =>
      this.forward({ ...request, method, segments, query, body }, { ...client, target });
    const seen = await call("GET");
    if (seen.status !== 200 || !isJsonObject(seen.body)) return seen;
    const tags = members(seen.body.tags);
    const after = tagsAfter(request, tags);
    const written = after && (await call("PATCH", { tags: after }));
    if (written && written.status >= 300) return written;
    return tagsResponse(request, nonEmptyStringAt(seen.body, "id") ?? "", after ?? tags);
  }

  /**
   * Notifies the provider of the subscription's registration state and registered features, if they have changed since the last
   * notification.
   * @throws ArmError 503
   */
  async announce(): Promise<void> {
    const { subscriptionId, tenantId, registrations } = this.#subscription;
    const state = registrations.stateOf(namespace);
    const features = this.#subscription.features.registered(namespace);
    const announced = JSON.stringify([state, features]);
    if (this.#announced === announced) return;
    const target = `/subscriptions/${subscriptionId}?api-version=${subscriptionApiVersion}`;
    const body = JSON.stringify({
      state,
      registrationDate: this.#subscription.clock.now().toUTCString(),
      properties: { tenantId, registeredFeatures: features },
    });
    const answer = await this.#provider.call({ method: "PUT", target, clientUrl: target, body, headers: {} });
    if (answer.status < 300) this.#announced = announced;
  }

  /** Sends a deployment's resources to the provider's preflight. @throws ArmError */
  async preflight(
    target: string,
    body: JsonValue,
    deployer: { readonly principal: Principal; readonly baseUrl: string; readonly correlationId: string },
  ): Promise<JsonValue | undefined> {
    await this.announce();
    const { principal, baseUrl, correlationId } = deployer;
    const answer = this.#responseOf(
      await this.#provider.call({
        method: "POST",
        target,
        clientUrl: `${baseUrl}${target}`,
        body: JSON.stringify(body),
        headers: callerHeaders(principal, this.#subscription.tenantId, {
          correlationId,
          clientRequestId: undefined,
        }),
      }),
    );
    if (answer.status === 200) return answer.body;
    const error = isJsonObject(answer.body) && isJsonObject(answer.body.error) ? answer.body.error : {};
    return { status: "Failed", error };
  }

  /** Returns the clusters of the subscription or of one group. @throws ArmError 503 if the provider is unavailable */
  async clusters(group?: string): Promise<readonly JsonObject[]> {
    const { subscriptionId } = this.#subscription;
    const scope = `/subscriptions/${subscriptionId}${group === undefined ? "" : `/resourceGroups/${group}`}`;
    let target: string | undefined =
      `${scope}/providers/Microsoft.RedHatOpenShift/openShiftClusters?api-version=${listApiVersion}`;
    const found: JsonObject[] = [];
    while (target !== undefined) {
      const answer = await this.#provider.call({
        method: "GET",
        target,
        clientUrl: `https://management.azure.com${target}`,
        body: undefined,
        headers: {},
      });
      if (answer.status >= 500)
        throw new ArmError(503, "ServerTimeout", "The resource provider cannot list its clusters.");
      const page: JsonValue = answer.status === 200 ? JSON.parse(answer.text) : {};
      if (!isJsonObject(page) || !Array.isArray(page.value)) break;
      found.push(...page.value.filter(isJsonObject));
      const next = typeof page.nextLink === "string" ? URL.parse(page.nextLink) : null;
      target = next ? `${next.pathname}${next.search}` : undefined;
    }
    return found;
  }

  /** Sends a request to the provider on behalf of a caller. @throws ArmError 503 if the provider does not respond */
  async ask(method: string, target: string, caller: Principal): Promise<ArmResponse> {
    await this.announce();
    const headers = callerHeaders(caller, this.#subscription.tenantId, {
      correlationId: undefined,
      clientRequestId: undefined,
    });
    const clientUrl = `https://management.azure.com${target}`;
    return this.#responseOf(
      await this.#provider.call({ method, target, clientUrl, body: undefined, headers }),
    );
  }

  /**
   * Converts the provider's response and signs the operation URLs in it. With the timing setting `recordedPolls`, successful
   * responses have no `Retry-After` header, as in Azure.
   */
  #responseOf(answer: ProviderResponse): ArmResponse {
    const { clock, timings } = this.#subscription;
    const response = responseOf(answer);
    const headers: Record<string, string> = { ...response.headers };
    if (timings.recordedPolls && answer.status < 400) delete headers["retry-after"];
    for (const name of ["azure-asyncoperation", "location"]) {
      const url = headers[name];
      if (url?.includes("?")) headers[name] = signedOperationUrl(url, clock.now());
    }
    return { ...response, headers };
  }

  #checkScope(path: ProviderPath, { method }: ArmRequest): void {
    const [, , subscriptionId, kind, group] = path.scope.split("/");
    if (subscriptionId === undefined) return;
    requireSubscription(this.#subscription, subscriptionId);
    if (kind?.toLowerCase() === "resourcegroups" && group !== undefined) {
      const found = requireGroup(this.#subscription, group);
      if (found.state === "Deleting" && method !== "GET" && method !== "DELETE") throw beingDeleted(found);
    }
    if (this.#subscription.registrations.stateOf(namespace) === "Registered" || method === "GET") return;
    throw new ArmError(
      409,
      "MissingSubscriptionRegistration",
      "The subscription is not registered to use namespace 'Microsoft.RedHatOpenShift'. See https://aka.ms/rps-not-found for how to register subscriptions.",
    );
  }

  async #writeHeaders(
    path: ProviderPath,
    request: ArmRequest,
    { target, identityUrl }: ClientRequest,
    signal = new AbortController().signal,
  ): Promise<Record<string, string>> {
    const isResource = path.types.length === path.names.length;
    if (!isResource || (request.method !== "PUT" && request.method !== "PATCH")) return {};
    const isNew = request.method === "PUT" && !(await this.#exists(target));
    const { clock, timings } = this.#subscription;
    const validationMs = isNew ? draw(timings.latencies.clusterValidationMs) : 0;
    if (validationMs > 0) await clock.sleep(validationMs, signal);
    const identity = isJsonObject(request.body) ? request.body.identity : undefined;
    return {
      ...systemDataHeader(request.principal, this.#subscription.clock.now(), isNew),
      ...(isJsonObject(identity) ? { "x-ms-identity-url": identityUrl } : {}),
    };
  }

  async #exists(target: string): Promise<boolean> {
    const answer = await this.#provider.call({
      method: "GET",
      target,
      clientUrl: target,
      body: undefined,
      headers: {},
    });
    return answer.status === 200;
  }
}

/** Resource types in their registered case, by lower-case type. */
const registeredTypes: Readonly<Record<string, string>> = { openshiftclusters: "OpenShiftClusters" };

/**
 * Replaces a 404 error of the provider by the 404 error of ARM. In Azure, ARM has a separate list of resources and returns this
 * error itself.
 */
function notThere({ scope, types, names }: ProviderPath, answer: ProviderResponse): undefined {
  const [type = "", name = ""] = [types[0], names[0]];
  const said = answer.status === 404 ? responseOf(answer).body : undefined;
  const error = isJsonObject(said) && isJsonObject(said.error) ? said.error : {};
  const group = /\/resourceGroups\/([^/]+)$/i.exec(scope)?.[1];
  if (error.code !== "ResourceNotFound" || group === undefined || name === "") return;
  throw resourceNotFound(
    `Microsoft.RedHatOpenShift/${registeredTypes[type.toLowerCase()] ?? type}/${name}`,
    group,
  );
}

function bodyOf({ method, body }: ArmRequest): string | undefined {
  if (method === "GET" || method === "HEAD" || method === "DELETE") return undefined;
  return body === undefined ? undefined : JSON.stringify(body);
}

const passedOn = ["azure-asyncoperation", "location", "retry-after", "etag"];

function responseOf({ status, headers, text }: ProviderResponse): ArmResponse {
  const passed: Record<string, string> = {};
  for (const name of passedOn) {
    const value = headers[name];
    if (typeof value === "string") passed[name] = value;
  }
  if (text === "") {
    // The `content-type` header is kept even if the response has no body.
    const type = headers["content-type"];
    return { status, headers: type === undefined ? passed : { ...passed, "content-type": type } };
  }
  try {
    return { status, headers: passed, body: JSON.parse(text), text };
  } catch {
    throw new ArmError(502, "BadGateway", "The response of the resource provider is not JSON.");
  }
}
