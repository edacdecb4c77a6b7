import { ClientSecretCredential, type TokenCredential } from "@azure/identity";
import { messageOf } from "@keelson/base";
import { aadstsCode } from "./azure-error.ts";
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
 * A bearer token for `scope`.
 * @throws InvalidCredentials when the identity provider refuses; the message starts with `AADSTS<code>`.
 * @throws IdentityProviderUnavailable when it does not answer.
 */
export async function accessToken(
  credential: TokenCredential,
  scope: string,
  signal: AbortSignal,
): Promise<string> {
  signal.throwIfAborted();
  try {
    const token = await credential.getToken(scope, { abortSignal: signal });
    if (token) return token.token;
  } catch (cause) {
    signal.throwIfAborted();
    throw asCoded(cause);
  }
  throw errors.IdentityProviderUnavailable("The identity provider gave no token.");
}

function asCoded(cause: unknown): Error {
  const text = /AADSTS\d+[^\r\n]*/.exec(messageOf(cause))?.[0];
  if (aadstsCode(cause) !== undefined && text) return errors.InvalidCredentials(text, { cause });
  return errors.IdentityProviderUnavailable(`The identity provider gave no token: ${messageOf(cause)}`, {
    cause,
  });
}
