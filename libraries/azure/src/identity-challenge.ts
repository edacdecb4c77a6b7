import { errors } from "./errors.ts";

export interface TrustedChallenge {
  /** Only permitted audience of token requests. */
  readonly audience: string;
  /** Identity provider that issues the token. */
  readonly loginEndpoint: string;
}

/** Host name aliases of identity providers, from instance discovery. */
const aliases: readonly (readonly string[])[] = [
  ["login.microsoftonline.com", "login.windows.net", "login.microsoft.com", "sts.windows.net"],
  ["login.microsoftonline.us", "login.usgovcloudapi.net", "login-us.microsoftonline.com"],
  ["login.partner.microsoftonline.cn", "login.chinacloudapi.cn"],
];

const tenantPath = /^\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/?$/i;

/**
 * Returns the tenant in the challenge `Bearer authorization="https://login.example/{tenant}"`. Undefined for challenges in a
 * different form. The service will request its token from this tenant, so the challenge must name the service's identity
 * provider.
 * @throws IdentityUrlForbidden if the challenge names a different identity provider or a different resource
 */
export function tenantOfChallenge(header: string, trusted: TrustedChallenge): string | undefined {
  const parameters = /\bBearer\b\s*(.*)$/i.exec(header.slice(0, 4_096))?.[1];
  if (parameters === undefined) return undefined;
  const authorization =
    parameterOf(parameters, "authorization") ?? parameterOf(parameters, "authorization_uri");
  if (authorization === undefined) return undefined;
  const authority = URL.parse(authorization);
  const tenantId = tenantPath.exec(authority?.pathname ?? "")?.[1];
  if (!authority || !tenantId || !isProvider(authority, new URL(trusted.loginEndpoint))) {
    throw errors.IdentityUrlForbidden(
      `The data plane of managed identities wants a token of ${authority?.host ?? "no identity provider"}, which is not the service's: ${new URL(trusted.loginEndpoint).host}.`,
    );
  }
  const resource = parameterOf(parameters, "resource");
  if (resource !== undefined && withoutSlash(resource) !== withoutSlash(trusted.audience)) {
    throw errors.IdentityUrlForbidden(
      `The data plane of managed identities requests a token for a resource other than ${trusted.audience}.`,
    );
  }
  return tenantId.toLowerCase();
}

function parameterOf(parameters: string, name: string): string | undefined {
  return new RegExp(`(?:^|[\\s,])${name}="([^"]*)"`, "i").exec(parameters)?.[1];
}

function isProvider(authority: URL, own: URL): boolean {
  if (authority.protocol !== "https:" || authority.username !== "" || authority.password !== "") return false;
  if (authority.host === own.host) return true;
  return aliases.some((hosts) => hosts.includes(authority.host) && hosts.includes(own.host));
}

function withoutSlash(resource: string): string {
  return resource.replace(/\/$/, "").toLowerCase();
}
