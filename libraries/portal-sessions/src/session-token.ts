import { createHash } from "node:crypto";

const pattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a text has the form of a token: a UUID. */
export function isSessionToken(text: string): boolean {
  return pattern.test(text);
}

/** The ID of a token's session. A session is found by it, so that how long that takes says nothing of the token. */
export function sessionIdOf(token: string): string {
  return createHash("sha256").update(token.toLowerCase()).digest("hex");
}
