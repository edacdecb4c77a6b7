import { isPlainObject, tryParseJson } from "./json.ts";

/**
 * Returns the claims of a JSON Web Token without verifying its signature. Undefined if the token is malformed.
 * Its recipient verifies it: the claims must not authorize anything.
 */
export function unverifiedClaims(token: string): Record<string, unknown> | undefined {
  const claims = tryParseJson(Buffer.from(token.split(".")[1] ?? "", "base64url").toString("utf8"));
  return isPlainObject(claims) ? claims : undefined;
}
