import { createHash, timingSafeEqual } from "node:crypto";

/** Reads a request header by its lower-case name. */
export type HeaderOf = (name: string) => string | undefined;

/**
 * True if the console accepts this `Host` header. This check stops DNS rebinding. If a foreign host name resolves to 127.0.0.1,
 * requests from pages of that host contain the foreign name.
 */
export function isOwnHost(host: string | undefined, port: number): boolean {
  return host === `localhost:${port}` || host === `127.0.0.1:${port}`;
}

/**
 * Returns the reason to reject a write request. Undefined if the request comes from the console's own pages. `csrf` is the
 * session's token. The token is not checked if `csrf` is undefined, for example before the sign-in.
 */
export function refusalOfChange(header: HeaderOf, host: string, csrf?: string): string | undefined {
  const origin = header("origin");
  if (origin === undefined) return "The header Origin is missing.";
  if (origin !== `https://${host}`) return "The request is from a page of a different site.";
  const site = header("sec-fetch-site");
  if (site !== undefined && site !== "same-origin") return "The request is from a page of a different site.";
  if (csrf === undefined) return undefined;
  const given = header("x-csrf-token");
  if (given === undefined) return "The header X-CSRF-Token is missing.";
  return isSameText(given, csrf) ? undefined : "The header X-CSRF-Token is from a different sign-in.";
}

/** Compares two strings of any length in constant time. */
export function isSameText(one: string, other: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
