import { createDefaultHttpClient, createPipelineRequest } from "@azure/core-rest-pipeline";
import { ClientSecretCredential, type TokenCredential } from "@azure/identity";
import { messageOf } from "@keelson/base";
import type { AzureEnvironment, ServicePrincipal } from "./environment.ts";
import { errors } from "./errors.ts";

/** Hosts whose authority the identity library knows; any other is asked directly, never by way of them. */
const publicAuthorities = new Set([
  "login.microsoftonline.com",
  "login.microsoftonline.us",
  "login.chinacloudapi.cn",
]);

export function secretCredential(
  environment: AzureEnvironment,
  principal: ServicePrincipal,
): ClientSecretCredential {
  const { tenantId, clientId, clientSecret } = principal;
  return new ClientSecretCredential(tenantId, clientId, clientSecret.reveal(), {
    authorityHost: environment.loginEndpoint,
    disableInstanceDiscovery: !publicAuthorities.has(new URL(environment.loginEndpoint).hostname),
    retryOptions: { maxRetries: 1, retryDelayInMs: 500, maxRetryDelayInMs: 2_000 },
    ...(environment.caPem ? { tlsOptions: { ca: environment.caPem } } : {}),
  });
}

/** `https://management.azure.com/` and `https://management.azure.com` both give one slash before `.default`. */
export function scopeOf(audience: string): string {
  return `${audience.replace(/\/+$/, "")}/.default`;
}

/**
 * A bearer token for ARM.
 * @throws InvalidCredentials when the identity provider refuses; the message starts with `AADSTS<code>`.
 * @throws IdentityProviderUnavailable when it does not answer.
 */
export async function accessToken(
  credential: TokenCredential,
  environment: AzureEnvironment,
  tenantId: string,
  signal: AbortSignal,
): Promise<string> {
  signal.throwIfAborted();
  try {
    const token = await credential.getToken(scopeOf(environment.audience), { abortSignal: signal });
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

/** The identity library hides why a tenant has no description; asking for it again tells. */
async function tenantRefusal(
  { loginEndpoint, caPem }: AzureEnvironment,
  tenantId: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const url = `${loginEndpoint.replace(/\/+$/, "")}/${encodeURIComponent(tenantId)}/v2.0/.well-known/openid-configuration`;
  const request = createPipelineRequest({ url, abortSignal: signal, timeout: 10_000 });
  if (caPem) request.tlsSettings = { ca: caPem };
  try {
    const response = await createDefaultHttpClient().sendRequest(request);
    return response.status < 400 ? undefined : refusalIn(response.bodyAsText ?? "");
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}
