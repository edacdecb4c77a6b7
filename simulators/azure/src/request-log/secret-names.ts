/** Pattern for names of fields, headers and parameters with secret values. It excludes public keys and identifiers. */
const secretName =
  /secret(?!s?(?:_?(?:identifier|id|uri|url|name)))|passw|pwd|token(?!_?(?:type|endpoint|url))|(?<!public_?)keys?$|key[_-]?data|credential|assertion|signature|^sas|connection_?string|kubeconfig|custom_?data|user_?data|protected_?settings|script|command|cookie|ignition|^hint$/i;

/** Cached results by name. Bodies use only a few hundred different names. */
const known = new Map<string, boolean>();
const maxKnown = 4_096;
const maxKnownLength = 64;

/** True if values of a field, header or parameter with this name are secret. An ambiguous name counts as secret. */
export function isSecretName(name: string): boolean {
  let isSecret = known.get(name);
  if (isSecret === undefined) {
    isSecret = secretName.test(name);
    if (known.size < maxKnown && name.length <= maxKnownLength) known.set(name, isSecret);
  }
  return isSecret;
}

/**
 * Public fields of the services that exchange secrets: Entra ID, key vaults and managed identities. In requests to these
 * services, the values of all other fields are redacted.
 */
const publicNames = new Set([
  ...["client_id", "scope", "resource"],
  ...["token_type", "expires_in", "ext_expires_in", "expires_on", "not_before", "error", "error_description"],
  ...["error_codes", "error_uri", "suberror", "timestamp", "trace_id", "correlation_id", "code", "message"],
  ...["id", "kid", "sid", "enabled", "created", "updated", "exp", "nbf", "recoverylevel", "recoverabledays"],
  ...["contenttype", "nextlink", "status", "status_details", "issuer", "subject", "kty", "key_ops", "alg"],
  ...["object_id", "tenant_id", "resource_id", "internal_id", "authentication_endpoint", "delegation_url"],
]);

export function isPublicName(name: string): boolean {
  return publicNames.has(name.toLowerCase());
}
