import { isPlainObject, tryParseJson } from "./json.ts";

/**
 * Returns the claims of a JSON Web Token without verifying its signature. Returns undefined for a malformed token. Do not use the
 * claims for authorization, because only the token's recipient verifies the signature.
 */
export function unverifiedClaims(token: string): Record<string, unknown> | undefined {
  const claims = tryParseJson(Buffer.from(token.split(".")[1] ?? "", "base64url").toString("utf8"));
  return isPlainObject(claims) ? claims : undefined;
}
