import type { TokenCredential } from "@azure/identity";
import { messageOf, type Secret } from "@keelson/base";
import type { AzureEnvironment, AzurePrincipal } from "./environment.ts";
import { errors } from "./errors.ts";
import { httpClient } from "./http-client.ts";
import { identitySdk, restPipeline } from "./sdks.ts";
import { tlsOptionsOf } from "./tls-options.ts";

/** Identity provider hosts that the identity library trusts. For other hosts, authority discovery is disabled. */
const publicAuthorities = new Set([
  "login.microsoftonline.com",
  "login.microsoftonline.us",
  "login.chinacloudapi.cn",
]);

/** Signed-in principal with a token cache that several connections can share. */
export interface SignedIn {
  readonly tenantId: string;
  readonly tokens: TokenCredential;
}

/** Signs in a principal and caches its tokens. The first request is sent when a token is needed. */
export function signIn(environment: AzureEnvironment, principal: AzurePrincipal): SignedIn {
  return { tenantId: principal.tenantId, tokens: credentialOf(environment, principal) };
}

/**
 * Returns the credential of `principal`. The credential also issues tokens for `otherTenants`. The first request is sent when a
 * token is needed.
 */
export function credentialOf(
  environment: AzureEnvironment,
  principal: AzurePrincipal,
  otherTenants: readonly string[] = [],
): TokenCredential {
  const { tenantId, clientId } = principal;
  const { ClientAssertionCredential, ClientCertificateCredential, ClientSecretCredential } = identitySdk();
  const optionsFor = (authority: string) => ({
    authorityHost: authority,
    disableInstanceDiscovery: !publicAuthorities.has(new URL(authority).hostname),
    additionallyAllowedTenants: [...otherTenants],
    retryOptions: { maxRetries: 1, retryDelayInMs: 500, maxRetryDelayInMs: 2_000 },
    ...tlsOptionsOf(environment),
  });
  if ("clientSecret" in principal) {
    const options = optionsFor(environment.loginEndpoint);
    return renewedCredential(
      principal.clientSecret,
      (secret) => new ClientSecretCredential(tenantId, clientId, secret, options),
    );
  }
  if ("assertion" in principal) {
    const options = optionsFor(environment.loginEndpoint);
    return new ClientAssertionCredential(tenantId, clientId, principal.assertion, options);
  }
  const { certificate, loginEndpoint = environment.loginEndpoint } = principal;
  const options = { ...optionsFor(loginEndpoint), sendCertificateChain: true };
  return renewedCredential(
    certificate,
    (pem) => new ClientCertificateCredential(tenantId, clientId, { certificate: pem }, options),
  );
}

/**
 * Returns a credential that reads the secret again for each token. If the secret's value has changed, a new credential is
 * created.
 */
function renewedCredential(secret: Secret, make: (text: string) => TokenCredential): TokenCredential {
  let text = secret.reveal();
  let credential = make(text);
  return {
    getToken(scopes, options) {
      const now = secret.reveal();
      if (now !== text) [text, credential] = [now, make(now)];
      return credential.getToken(scopes, options);
    },
  };
}

/**
 * Returns the scope of an audience. `https://management.azure.com/` and `https://management.azure.com` both get one slash before
 * `.default`.
 */
export function scopeOf(audience: string): string {
  return `${audience.replace(/\/+$/, "")}/.default`;
}

/**
 * Returns a bearer token. Default audience: ARM.
 * @throws InvalidCredentials if the identity provider rejects the credentials. The message starts with `AADSTS<code>`.
 * @throws IdentityProviderUnavailable if there is no response.
 */
export async function accessToken(
  credential: TokenCredential,
  environment: AzureEnvironment,
  tenantId: string,
  signal: AbortSignal,
  audience = environment.audience,
): Promise<string> {
  signal.throwIfAborted();
  try {
    const token = await credential.getToken(scopeOf(audience), { abortSignal: signal });
    if (token) return token.token;
  } catch (cause) {
    signal.throwIfAborted();
    const refusal = refusalIn(messageOf(cause)) ?? (await tenantRefusal(environment, tenantId, signal));
    if (refusal) throw errors.InvalidCredentials(refusal, { cause });
    throw errors.IdentityProviderUnavailable(`The identity provider gave no token: ${messageOf(cause)}`, {
      cause,
    });
  }
  throw errors.IdentityProviderUnavailable("The identity provider gave no token.");
}

/** Returns the sentence with the AADSTS code. Removes the trace IDs after it. */
function refusalIn(text: string): string | undefined {
  return /AADSTS\d+.*?(?=\s*(?:Trace ID:|[\r\n"]|$))/.exec(text)?.[0];
}

/**
 * Requests the tenant's metadata to find the reason of a failed sign-in, because the identity library's error does not contain
 * the reason.
 */
async function tenantRefusal(
  environment: AzureEnvironment,
  tenantId: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { createPipelineRequest } = restPipeline();
  const url = `${environment.loginEndpoint.replace(/\/+$/, "")}/${encodeURIComponent(tenantId)}/v2.0/.well-known/openid-configuration`;
  const request = createPipelineRequest({ url, abortSignal: signal, timeout: 10_000 });
  const { tlsOptions } = tlsOptionsOf(environment);
  if (tlsOptions) request.tlsSettings = tlsOptions;
  try {
    const response = await httpClient().sendRequest(request);
    return response.status < 400 ? undefined : refusalIn(response.bodyAsText ?? "");
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}
