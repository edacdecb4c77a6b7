import { timingSafeEqual } from "node:crypto";
import type { Login } from "./login.ts";
import type { SessionKeys } from "./session-keys.ts";

/** Returns the CSRF token of a sign-in. Pages send this token as `X-CSRF-Token` in every request that changes data. */
export function csrfToken(keys: SessionKeys, login: Login): string {
  return keys.macs(`csrf ${login.id}`)[0] ?? "";
}

export interface ChangingRequest {
  /** Origin of the portal in the form `https://host:port`. */
  readonly origin: string;
  readonly header: (name: string) => string | undefined;
}

/**
 * Returns an error message if the request does not come from the portal's own pages. Returns undefined if it comes from one of
 * these pages.
 */
export function foreignRequest(
  keys: SessionKeys,
  login: Login,
  { origin, header }: ChangingRequest,
): string | undefined {
  // Browsers send at least one of these headers when a page changes data. Other programs may omit both headers.
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
