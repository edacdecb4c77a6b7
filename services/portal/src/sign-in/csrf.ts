import { timingSafeEqual } from "node:crypto";
import type { Login } from "./login.ts";
import type { SessionKeys } from "./session-keys.ts";

/** Returns the token that a page sends as `X-CSRF-Token` with each change. It is bound to this sign-in. */
export function csrfToken(keys: SessionKeys, login: Login): string {
  return keys.macs(`csrf ${login.id}`)[0] ?? "";
}

export interface ChangingRequest {
  /** Origin of the portal, `https://host:port`. */
  readonly origin: string;
  readonly header: (name: string) => string | undefined;
}

/**
 * Returns the reason why a request does not come from one of the portal's own pages. Undefined if it does.
 */
export function foreignRequest(
  keys: SessionKeys,
  login: Login,
  { origin, header }: ChangingRequest,
): string | undefined {
  // Browsers send one of them with each changing request of a page. Programs need not.
  const from = header("origin") ?? originOf(header("referer"));
  if (from !== undefined && from !== origin) return "The request is from a page of another site.";
  const given = header("x-csrf-token");
  if (given === undefined) return "The header X-CSRF-Token is missing: /api/info has its value.";
  const isOurs = keys.macs(`csrf ${login.id}`).some((expected) => isSame(given, expected));
  return isOurs ? undefined : "The header X-CSRF-Token belongs to a different sign-in.";
}

function originOf(url: string | undefined): string | undefined {
  if (url === undefined) return undefined;
  return URL.parse(url)?.origin ?? "null";
}

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
