import type { AccessToken, GetTokenOptions, TokenCredential } from "@azure/identity";
import { type Clock, systemClock } from "@keelson/base";
import type { SignedIn } from "./credential.ts";
import type { AzureEnvironment, FederatedPrincipal, ServicePrincipal } from "./environment.ts";
import { errors } from "./errors.ts";
import { httpClient } from "./http-client.ts";
import { parseObject } from "./parse-object.ts";
import { restPipeline } from "./sdks.ts";
import { tlsOptionsOf } from "./tls-options.ts";

/** Minimum remaining lifetime, in ms, of a cached token. A token that expires earlier is replaced. */
const refreshBeforeMs = 5 * 60_000;
const timeoutMs = 30_000;

/**
 * Signs in like `signIn`, without `@azure/identity`. Use it in small processes, because `@azure/identity` would use most of their
 * memory. The first request is sent when a token is needed.
 * @see RFC 6749 section 4.4; for assertions RFC 7523 section 2.2
 */
export function signInBySecret(
  environment: AzureEnvironment,
  principal: ServicePrincipal | FederatedPrincipal,
  clock: Pick<Clock, "now"> = systemClock,
): SignedIn {
  return { tenantId: principal.tenantId, tokens: new ClientCredentials(environment, principal, clock) };
}

class ClientCredentials implements TokenCredential {
  readonly #environment: AzureEnvironment;
  readonly #principal: ServicePrincipal | FederatedPrincipal;
  readonly #clock: Pick<Clock, "now">;
  /** Cached tokens by tenant and scope. */
  readonly #tokens = new Map<string, AccessToken>();

  constructor(
    environment: AzureEnvironment,
    principal: ServicePrincipal | FederatedPrincipal,
    clock: Pick<Clock, "now">,
  ) {
    this.#environment = environment;
    this.#principal = principal;
    this.#clock = clock;
  }

  async getToken(scopes: string | string[], options: GetTokenOptions = {}): Promise<AccessToken> {
    const { tenantId = this.#principal.tenantId, claims } = options;
    const scope = [scopes].flat().join(" ");
    const name = JSON.stringify([tenantId, scope]);
    const known = this.#tokens.get(name);
    // A request with a claims challenge requires a new token, because the cached token does not satisfy the claims.
    const leftMs = (known?.expiresOnTimestamp ?? 0) - this.#clock.now().getTime();
    if (known && claims === undefined && leftMs > refreshBeforeMs) return known;
    const token = await this.#request(tenantId, scope, options);
    this.#tokens.set(name, token);
    return token;
  }

  async #request(
    tenantId: string,
    scope: string,
    { abortSignal, claims }: GetTokenOptions,
  ): Promise<AccessToken> {
    const { createPipelineFromOptions, createPipelineRequest, redirectPolicyName } = restPipeline();
    const pipeline = createPipelineFromOptions({
      retryOptions: { maxRetries: 1, retryDelayInMs: 500, maxRetryDelayInMs: 2_000 },
      ...tlsOptionsOf(this.#environment),
    });
    // Disables redirects, so that credentials are not sent to a different address.
    pipeline.removePolicy({ name: redirectPolicyName });
    const { loginEndpoint } = this.#environment;
    const url = `${loginEndpoint.replace(/\/+$/, "")}/${encodeURIComponent(tenantId)}/oauth2/v2.0/token`;
    const body = new URLSearchParams({
      client_id: this.#principal.clientId,
      grant_type: "client_credentials",
      scope,
      ...(await this.#proof()),
      ...(claims === undefined ? {} : { claims }),
    });
    const request = createPipelineRequest({ url, method: "POST", timeout: timeoutMs, body: `${body}` });
    if (abortSignal) request.abortSignal = abortSignal;
    request.headers.set("content-type", "application/x-www-form-urlencoded");
    request.headers.set("accept", "application/json");
    const { status, bodyAsText } = await pipeline.sendRequest(httpClient(), request);
    const response = parseObject(bodyAsText ?? "");
    const { access_token: token, expires_in: seconds, error_description: refusal } = response;
    if (status === 200 && typeof token === "string" && Number(seconds) > 0)
      return { token, expiresOnTimestamp: this.#clock.now().getTime() + Number(seconds) * 1_000 };
    if (status < 500 && typeof refusal === "string") throw errors.InvalidCredentials(refusal);
    throw errors.IdentityProviderUnavailable(
      `The identity provider returned status ${status} for a token request.`,
    );
  }

  async #proof(): Promise<Record<string, string>> {
    if ("clientSecret" in this.#principal) return { client_secret: this.#principal.clientSecret.reveal() };
    return {
      client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
      client_assertion: await this.#principal.assertion(),
    };
  }
}
