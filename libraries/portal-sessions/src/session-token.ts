import { createHash } from "node:crypto";

const pattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** True if a string has the format of a token, a UUID. */
export function isSessionToken(text: string): boolean {
  return pattern.test(text);
}

/**
 * Returns the ID of a token's session. Looking up sessions by a hash does not reveal the token through
 * timing.
 */
export function sessionIdOf(token: string): string {
  return createHash("sha256").update(token.toLowerCase()).digest("hex");
}
