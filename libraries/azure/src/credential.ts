import type { TokenCredential } from "@azure/identity";
import { messageOf } from "@keelson/base";
import type { AzureEnvironment, AzurePrincipal } from "./environment.ts";
import { errors } from "./errors.ts";
import { httpClient } from "./http-client.ts";
import { identitySdk, restPipeline } from "./sdks.ts";
import { tlsOptionsOf } from "./tls-options.ts";

/** Hosts whose authority the identity library knows; any other is asked directly, never by way of them. */
const publicAuthorities = new Set([
  "login.microsoftonline.com",
  "login.microsoftonline.us",
  "login.chinacloudapi.cn",
]);

/** A principal whose tokens are kept, for all connections that share it. */
export interface SignedIn {
  readonly tenantId: string;
  readonly tokens: TokenCredential;
}

/** For a principal that is used again and again. Nothing is sent before a token is needed. */
export function signIn(environment: AzureEnvironment, principal: AzurePrincipal): SignedIn {
  return { tenantId: principal.tenantId, tokens: credentialOf(environment, principal) };
}

/**
 * How `principal` signs in, to `otherTenants` too where a service asks for that. Nothing is sent before a token is
 * asked for.
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
    const secret = principal.clientSecret.reveal();
    return new ClientSecretCredential(tenantId, clientId, secret, optionsFor(environment.loginEndpoint));
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

/** `https://management.azure.com/` and `https://management.azure.com` both give one slash before `.default`. */
export function scopeOf(audience: string): string {
  return `${audience.replace(/\/+$/, "")}/.default`;
}

/**
 * A bearer token, for ARM unless another audience is named.
 * @throws InvalidCredentials when the identity provider refuses; the message starts with `AADSTS<code>`.
 * @throws IdentityProviderUnavailable when it does not answer.
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

/** The identity library hides why a tenant's metadata cannot be read; a request of its own shows it. */
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
