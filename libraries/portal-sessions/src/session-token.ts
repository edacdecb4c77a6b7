import { createHash } from "node:crypto";

const pattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** True if a string has the format of a session token, a UUID. */
export function isSessionToken(text: string): boolean {
  return pattern.test(text);
}

/** Returns the session ID for a token. The ID is a hash, so the duration of the lookup does not reveal the token. */
export function sessionIdOf(token: string): string {
  return createHash("sha256").update(token.toLowerCase()).digest("hex");
}
