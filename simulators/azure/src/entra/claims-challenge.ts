import type { TokenRefusal } from "./tokens.ts";

/**
 * Returns a claims challenge for a token that has expired only because the subscription's clock was advanced. The challenge makes
 * the client sign in again instead of using its cached token. Returns an empty string for all other tokens.
 * @see https://learn.microsoft.com/entra/identity-platform/claims-challenge
 */
export function claimsChallenge({ isStale }: TokenRefusal, separator: string): string {
  if (!isStale) return "";
  const claims = Buffer.from(`{"access_token":{"nbf":{"essential":true}}}`).toString("base64");
  return `${separator}error="insufficient_claims", claims="${claims}"`;
}
