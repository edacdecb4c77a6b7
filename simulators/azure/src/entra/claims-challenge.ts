import type { TokenRefusal } from "./tokens.ts";

/**
 * What a challenge says, behind `separator`, to a client whose token holds by its own clock: to sign in again, past what
 * it keeps. Empty for any other refusal.
 * @see https://learn.microsoft.com/entra/identity-platform/claims-challenge
 */
export function claimsChallenge({ isStale }: TokenRefusal, separator: string): string {
  if (!isStale) return "";
  const claims = Buffer.from(`{"access_token":{"nbf":{"essential":true}}}`).toString("base64");
  return `${separator}error="insufficient_claims", claims="${claims}"`;
}
