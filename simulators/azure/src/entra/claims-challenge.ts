import type { TokenRefusal } from "./tokens.ts";

/**
 * Challenge for a client with a token that is still valid by the client's clock. It makes the client sign in
 * again instead of using its cache. Empty for other errors.
 * @see https://learn.microsoft.com/entra/identity-platform/claims-challenge
 */
export function claimsChallenge({ isStale }: TokenRefusal, separator: string): string {
  if (!isStale) return "";
  const claims = Buffer.from(`{"access_token":{"nbf":{"essential":true}}}`).toString("base64");
  return `${separator}error="insufficient_claims", claims="${claims}"`;
}
