import type { TokenCredential } from "@azure/identity";
import { messageOf, type Secret } from "@keelson/base";
import type { AzureEnvironment, AzurePrincipal } from "./environment.ts";
import { errors } from "./errors.ts";
import { httpClient } from "./http-client.ts";
import { identitySdk, restPipeline } from "./sdks.ts";
import { tlsOptionsOf } from "./tls-options.ts";

/**
 * Identity provider hosts that the identity library trusts. Other hosts are used directly, without discovery.
 */
const publicAuthorities = new Set([
  "login.microsoftonline.com",
  "login.microsoftonline.us",
  "login.chinacloudapi.cn",
]);

/** Signed-in principal with a token cache, shared by several connections. */
export interface SignedIn {
  readonly tenantId: string;
  readonly tokens: TokenCredential;
}

/** Signs in a principal for repeated use. Nothing is sent before a token is needed. */
export function signIn(environment: AzureEnvironment, principal: AzurePrincipal): SignedIn {
  return { tenantId: principal.tenantId, tokens: credentialOf(environment, principal) };
}

/**
 * Returns the credential of `principal`, also for `otherTenants` if a service requires them. Nothing is sent
 * before a token is requested.
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
  return new ClientCertificateCredential(
    tenantId,
    clientId,
    { certificate: certificate.reveal() },
    { ...optionsFor(loginEndpoint), sendCertificateChain: true },
  );
}

/** A credential that is made again when its secret has another text. */
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
 * `https://management.azure.com/` and `https://management.azure.com` both result in one slash before
 * `.default`.
 */
export function scopeOf(audience: string): string {
  return `${audience.replace(/\/+$/, "")}/.default`;
}

/**
 * Returns a bearer token. Default audience: ARM.
 * @throws InvalidCredentials after a refusal of the identity provider. The message starts with
 * `AADSTS<code>`.
 * @throws IdentityProviderUnavailable without a response.
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

/** The sentence that starts with the AADSTS code, without the IDs of the trace after it. */
function refusalIn(text: string): string | undefined {
  return /AADSTS\d+.*?(?=\s*(?:Trace ID:|[\r\n"]|$))/.exec(text)?.[0];
}

/**
 * Requests the tenant's metadata to find out why a sign-in fails, because the identity library hides the reason.
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
