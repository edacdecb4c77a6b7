import type { JsonObject } from "@keelson/base";

/** Returns the OpenID configuration. Served at `/{tenant}/v2.0/.well-known/openid-configuration` and at older paths. */
export function openIdConfiguration(
  tenantId: string,
  tenant: string,
  version: "v1" | "v2",
  baseUrl: string,
): JsonObject {
  const base = `${baseUrl}/${tenant}`;
  const oauth = version === "v2" ? `${base}/oauth2/v2.0` : `${base}/oauth2`;
  return {
    issuer: issuerOf(baseUrl, tenantId),
    authorization_endpoint: `${oauth}/authorize`,
    token_endpoint: `${oauth}/token`,
    device_authorization_endpoint: `${oauth}/devicecode`,
    end_session_endpoint: `${oauth}/logout`,
    jwks_uri: version === "v2" ? `${base}/discovery/v2.0/keys` : `${base}/discovery/keys`,
    token_endpoint_auth_methods_supported: ["client_secret_post", "private_key_jwt", "client_secret_basic"],
    response_modes_supported: ["query", "fragment", "form_post"],
    response_types_supported: ["code"],
    scopes_supported: ["openid", "profile", "email", "offline_access"],
    subject_types_supported: ["pairwise"],
    id_token_signing_alg_values_supported: ["RS256"],
    code_challenge_methods_supported: ["plain", "S256"],
    grant_types_supported: [
      "authorization_code",
      "client_credentials",
      "password",
      "refresh_token",
      "urn:ietf:params:oauth:grant-type:device_code",
    ],
    claims_supported: [
      "sub",
      "iss",
      "aud",
      "exp",
      "iat",
      "nonce",
      "oid",
      "tid",
      "preferred_username",
      "name",
      "groups",
    ],
    cloud_instance_name: new URL(baseUrl).host,
    msgraph_host: new URL(baseUrl).host,
  };
}

/**
 * Returns the issuer URL. Services compare the URL with the issuer in tokens. The URL therefore contains the tenant ID, even if
 * the request's path contains an alias of the tenant.
 */
export function issuerOf(baseUrl: string, tenantId: string): string {
  return `${baseUrl}/${tenantId}/v2.0`;
}

/**
 * Handles `GET /common/discovery/instance`. The response always describes this identity provider, even if the query names a
 * different authority.
 */
export function instanceDiscovery(tenant: string, baseUrl: string): JsonObject {
  const { host } = new URL(baseUrl);
  return {
    tenant_discovery_endpoint: `${baseUrl}/${tenant}/v2.0/.well-known/openid-configuration`,
    "api-version": "1.1",
    metadata: [{ preferred_network: host, preferred_cache: host, aliases: [host] }],
  };
}
